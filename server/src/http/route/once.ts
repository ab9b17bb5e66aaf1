import { installation } from '../../audit/index.ts'
import { catalogue, type Refusal, RefusalError, rememberedUntil } from '../../errors.ts'
import { withoutKeys } from '../../keys/index.ts'
import { digestOf, requestOf } from '../../ledger/index.ts'
import { followCommits, isPassing, type RequestKey } from '../../requests/index.ts'
import { problem, type Reply, replayOf, type StreamReply } from '../problem.ts'
import { canonicalJson } from '../wire/json.ts'
import { hashAddresses } from './addresses.ts'
import { handleMerged } from './merged.ts'
import { findNames, isDecided, withMemberId } from './named.ts'
import type { Request, Route, Services } from './route.ts'
import { secretMark } from './schemas.ts'
import { locationOf } from './statuses.ts'

/** How long the response to an Idempotency-Key is stored. */
const dayMs = 86_400_000

type Asked = Pick<Request, 'caller' | 'params' | 'query' | 'body' | 'idempotencyKey' | 'member'>

/**
 * What a request with an Idempotency-Key is stored under; undefined without such a key. The fingerprint has
 * an identity as it was sent: a retry is the same request, even if another member has it by then.
 */
export function requestKeyOf(path: string, asked: Asked): RequestKey | undefined {
  const { caller, params, query, body, idempotencyKey } = asked
  const { member = params['memberID'] ?? null } = asked
  if (idempotencyKey === undefined) return undefined
  const sent = [...query].filter(([name]) => name !== 'dryRun').sort(([a], [b]) => (a < b ? -1 : 1))
  const said = [path, params, sent, body === undefined ? null : canonicalJson(body)]
  return {
    realm: caller?.realm ?? installation,
    request: requestOf(idempotencyKey),
    fingerprint: digestOf(JSON.stringify(said)),
    member,
  }
}

/** Whether this module makes the route idempotent. Others only read, or are idempotent by other means. */
export const keepsRequests = ({ audience, methods, writes, idempotent }: Route): boolean =>
  writes &&
  idempotent === undefined &&
  (audience === 'realm' || audience === 'operator') &&
  methods.some((method) => method === 'POST' || method === 'PATCH')

/** Handles a request; one with an Idempotency-Key only once in 24 hours. */
export function handleOnce(
  route: Route,
  request: Request,
  services: Services,
): Reply | StreamReply | Promise<Reply | StreamReply> {
  const hashing = hashAddresses(route, request, services)
  return hashing
    ? hashing.then((hashed) => handleNamed(route, hashed, services))
    : handleNamed(route, request, services)
}

function handleNamed(
  route: Route,
  request: Request,
  services: Services,
): Reply | StreamReply | Promise<Reply | StreamReply> {
  const finding = findNames(route, request, services)
  return finding
    ? finding.then((names) => handleKeyed(route, { ...request, ...names }, services))
    : handleKeyed(route, request, services)
}

function handleKeyed(
  route: Route,
  request: Request,
  services: Services,
): Reply | StreamReply | Promise<Reply | StreamReply> {
  const isKept = keepsRequests(route) && request.query.get('dryRun') !== 'true'
  const key = isKept ? requestKeyOf(route.path, request) : undefined
  if (!key) return handleActive(route, request, services)
  const ofRealm = keyInRealm(key, request, services)
  if (!ofRealm) return handleAndKeep(route, request, { services, key })
  return ofRealm.then((found) => handleAndKeep(route, request, { services, key: found }))
}

/**
 * An operator's request about a realm is stored with the realm, so that it moves with it: a retry in the new
 * cell is a retry too. No Idempotency-Key has a line break, so none of a realm's clients can collide with it.
 * Undefined for any other request.
 */
function keyInRealm(
  key: RequestKey,
  { caller, params, idempotencyKey }: Request,
  { realms }: Services,
): Promise<RequestKey> | undefined {
  const { realmID } = params
  if (caller || realmID === undefined) return undefined
  const request = requestOf(`operator\n${idempotencyKey}`)
  return realms.number(realmID).then((realm) => ({ ...key, realm, request }))
}

/**
 * Handles a request, unless it is a write in a suspended realm. The ledger checks that itself, under the head
 * lock.
 */
function handleActive(
  route: Route,
  request: Request,
  services: Services,
): Reply | StreamReply | Promise<Reply | StreamReply> {
  const { caller } = request
  const handle = () => handleMerged(route, withMemberId(request), services)
  if (!route.writes || isDecided(route)) return handle()
  const follow = () => followCommits(handle)
  return caller ? services.realms.refuseSuspended(caller.realm).then(follow) : follow()
}

async function handleAndKeep(
  route: Route,
  request: Request,
  { services, key }: { readonly services: Services; readonly key: RequestKey },
): Promise<Reply | StreamReply> {
  const until = new Date(Date.now() + dayMs).toISOString()
  const earlier = await services.requests.claim(key)
  if (earlier) return againOf(route, request, { ...earlier, basePath: services.site.basePath })
  try {
    const reply = await handleActive(route, request, services)
    await services.requests.finish(key, { status: reply.status, body: keptOf(route, reply.body) })
    return reply
  } catch (error) {
    const refusal = remembered(error)
    if (refusal) {
      const reply = problem(rememberedUntil(refusal, until), request.requestId)
      await services.requests.finish(key, { status: reply.status, body: reply.body })
      return reply
    }
    if (changedNothing(error)) await services.requests.release(key)
    throw error
  }
}

/** A 422 is stored, as in the journal: a late duplicate must not succeed where its sender got an error. */
const remembered = (error: unknown): Refusal | undefined =>
  error instanceof RefusalError && catalogue[error.refusal.code].status === 422 ? error.refusal : undefined

type Earlier = { readonly status: number; readonly body: string; readonly basePath: string }

/** The stored response, with `Location` where something was created. */
function againOf(route: Route, request: Request, { status, body, basePath }: Earlier): Reply {
  const reply = replayOf(status, body)
  if (status !== 201) return reply
  const location = locationOf(route, request, { body, basePath })
  return { ...reply, headers: { ...reply.headers, location } }
}

/** A rejected request changed nothing, unless the outcome is unknown. */
const changedNothing = (error: unknown): boolean =>
  error instanceof RefusalError && (catalogue[error.refusal.code].status < 500 || isPassing(error))

type Answer = { readonly properties?: Readonly<Record<string, { readonly [secretMark]?: boolean }>> }

/** A response as it is stored: null in place of its secrets. */
function keptOf({ answer }: Route, body: Reply['body'] | StreamReply['body']): string | null {
  if (typeof body !== 'string') return null
  const secrets = Object.entries((answer as Answer | undefined)?.properties ?? {}).filter(
    ([, schema]) => schema[secretMark],
  )
  if (secrets.length === 0) return withoutKeys(body)
  const kept = {
    ...(JSON.parse(body) as object),
    ...Object.fromEntries(secrets.map(([name]) => [name, null])),
  }
  return withoutKeys(JSON.stringify(kept))
}
