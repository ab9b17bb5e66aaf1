import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { codesOf, type Document, type Operation, type Schema } from './document.ts'
import { type Draft, decoded, inBase64, type SecretName, type Secrets, secretNames, shown } from './draft.ts'
import { type Effects, isMisplaced, keysIn, realmIn } from './effects.ts'
import type { Answer } from './wire.ts'
import { keyRealm, marksOf, marksOffBoard, type RealmName, realms, yard } from './world.ts'

/** A request's answer, and when the request was sent. */
type Heard = { readonly answer: Answer; readonly sentAtMs: number }

/** What is wrong with a response to any request: a text that begins with its kind. */
export type Judge = (draft: Draft, heard: Heard) => string[]

/** What responses are checked against: the keys, and the changes of the requests so far. */
type Known = { readonly secrets: Secrets; readonly effects: Effects }

const pages = new Set([
  '/',
  '/docs',
  '/openapi.json',
  '/healthz',
  '/readyz',
  '/leaderboard.js',
  '/board.js',
  '/checkpoint-keys',
])

/** Routes for anyone with the link, and a realm's public board. */
const open =
  /^\/link\/[^/]+(\/(details|challenges|wallets))?$|^\/boards\/[^/]+(\/(leaderboard|stream|checkpoint))?$/

/** The page to link a wallet, and the console where it is built, are public; a session is not. */
const isPage = (path: string): boolean =>
  pages.has(path) ||
  open.test(path) ||
  (path.startsWith('/console/') && !/^\/console\/session(\/|$)/.test(path))

const redirects = new Set([302, 303, 308])

/** What must never leave the server: stack traces, file paths, SQL and PostgreSQL's errors. */
const leak = new RegExp(
  [
    String.raw`\bat .*(\.[cm]?[jt]s|node:\S+):\d+|node_modules|file://|/src/`,
    String.raw`\bselect .* from\b|insert into|relation "|postgres|pg_`,
    'violates|syntax error|invalid input|invalid byte sequence|duplicate key|out of range',
  ].join('|'),
  'i',
)

export function makeJudge(document: Document, known: Known): Judge {
  const codes = codesOf(document)
  const shapes = shapesOf(document)
  return (draft, heard) => {
    const { answer } = heard
    const wrong: string[] = []
    const { status, headers, text } = answer
    if (status >= 500) wrong.push(`fault: ${status} ${text.slice(0, 200)}`)
    if (!headers['x-request-id']) wrong.push('shape: no X-Request-Id')
    if (status >= 200 && status < 300) wrong.push(...entry(draft))
    wrong.push(...leaks(draft, heard, known.effects), ...leakedSecrets(draft, answer, known))
    if (draft.method === 'HEAD' || redirects.has(status)) return wrong
    if (isNotFoundPage(draft, answer)) return wrong
    if (status >= 400) wrong.push(...wrongProblem(answer, codes).map((words) => `shape: ${words}`))
    else if (status === 200 || status === 201) wrong.push(...wrongShape(draft, answer, shapes))
    else if (status === 204) wrong.push(...(text === '' ? [] : ['shape: 204 with a body']))
    else wrong.push(`shape: status ${status}`)
    return wrong
  }
}

/** The path without its query. A raw # is part of it: browsers never send fragments. */
const pathOf = ({ path }: Draft): string => path.split('?', 1)[0] ?? ''

/** Whether a cookie of a signed-in person was sent. */
const hasSession = ({ headers }: Draft): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'cookie' && value.includes('[[session.'))

/** Only an authorized request may succeed. */
function entry(draft: Draft): string[] {
  const path = pathOf(draft)
  const name = shown(draft)
  const realm = name && keyRealm[name]
  const [, first, second, third, fourth = ''] = path.split('/')
  if (isPage(path) || (/^\/console\/session(\/|$)/.test(path) && hasSession(draft))) return []
  if (first === 'operator' && second === 'v1' && name === 'operator') return []
  const isOwn = realm !== undefined && decoded(fourth) === realms[realm].id
  if (first === 'api' && second === 'v4' && third === 'realms' && isOwn) return []
  return [`entry: a success for ${name ?? 'no key'}`]
}

/** The realm whose public board was read. */
const boardRealm = (draft: Draft, status: number): string | undefined =>
  status === 200 && pathOf(draft).startsWith('/boards/') ? realmIn(pathOf(draft)) : undefined

/** Finds stack traces, SQL and paths, and data that is not of the caller's realm. */
function leaks(draft: Draft, { answer: { status, text }, sentAtMs }: Heard, effects: Effects): string[] {
  const { path, query, headers, body = '' } = draft
  const sent = `${decoded(path + query)} ${JSON.stringify(headers)} ${body}`
  const found: string[] = []
  const echoed = leak.test(sent) || (status === 200 && isPage(pathOf(draft)))
  if (!echoed && leak.test(text)) found.push(`leak: ${leak.exec(text)?.[0]}`)
  const name = shown(draft)
  if (name === 'operator') return found
  const asked = sent.toLowerCase()
  const foreign = (Object.keys(realms) as RealmName[]).filter((realm) => realm !== (name && keyRealm[name]))
  const board = boardRealm(draft, status)
  const isOpen = board !== undefined && effects.mayShowBoard(board, sentAtMs)
  const marks = foreign.flatMap((realm) =>
    isOpen && realms[realm].id === board ? marksOffBoard(realm) : marksOf(realm),
  )
  for (const mark of marks) {
    if (!text.includes(mark) || asked.includes(mark.toLowerCase())) continue
    const realm = realmIn(pathOf(draft))
    const isStored = realm !== undefined && effects.hasStored(mark, { realm, nouns: undefined })
    if (!isStored) found.push(`realm: revealed ${mark}`)
  }
  return found
}

/** Whether a text contains a key, in any case, or encoded as for `Basic`. */
export function hasKey(lower: string, key: string): boolean {
  return (
    lower.includes(key.slice(4, 34).toLowerCase()) || lower.includes(inBase64(key).slice(6, 40).toLowerCase())
  )
}

type ShownAt = {
  readonly path: RegExp
  /** The response may show only values stored as this resource. */
  readonly nouns?: RegExp
  /** The response repeats values of the request. */
  readonly isEcho?: boolean
}

/** Where the API shows what it stores. */
const shownAt: readonly ShownAt[] = [
  { path: /\/includes$/, isEcho: true },
  { path: /\/keys(\/|$)|\/audit$|\/history$|\/entries\/|\/journal$/ },
  { path: /\/export\/|\/realms\/[^/]+\/leaderboard(\/|$)/ },
  { path: /\/realms\/[^/]+(\/points(\/[^/]+)?)?$/ },
  { path: /\/web3\/collections(\/[^/]+)?$/ },
  { path: /\/members(\/\d+(\/profile)?)?$/ },
  // These name point types by their ids.
  { path: /\/statistics$|\/(holds|awards)(\/[^/]+)?$/, nouns: /^points$/ },
  { path: /\/snapshots(\/[^/]+)?$/, nouns: /^(points|snapshots)$/ },
  // Names of the realm and its members; a board also shows names of point types.
  { path: /^\/boards\/[^/]+(\/(leaderboard|stream|checkpoint))?$/, nouns: /^(realm|points|members|import)$/ },
  { path: /^\/link\/[^/]+\/details$/, nouns: /^(realm|members|import)$/ },
  { path: /^\/operator\/v1\// },
]

/**
 * Values that a request stored, or a response repeats, may be read where the API shows them: in their realm,
 * and by the operator. No other response may contain a key. All links belong to the yard.
 */
function mayRepeat(draft: Draft, name: SecretName, effects: Effects): boolean {
  if (!isMisplaced(name)) return false
  const path = pathOf(draft)
  const realm = path.startsWith('/operator/v1/') ? undefined : (realmIn(path) ?? yard)
  const isAsked = keysIn(draft).includes(name)
  return shownAt.some(({ path: form, nouns, isEcho }) => {
    const isKnown = (isEcho && isAsked) || effects.hasStored(name, { realm, nouns })
    return form.test(path) && isKnown
  })
}

function leakedSecrets(draft: Draft, { status, headers, text }: Answer, known: Known): string[] {
  const all = `${text}\n${JSON.stringify(headers)}`.toLowerCase()
  return secretNames
    .filter((name) => hasKey(all, known.secrets[name]))
    .filter((name) => status >= 300 || !mayRepeat(draft, name, known.effects))
    .map((name) => `secret: the response ${status} contains the key ${name}`)
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the response is what is checked
function jsonOf(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const retried = new Set([
  'request_in_progress',
  'rate_limited',
  'overloaded',
  'unavailable',
  'outcome_unknown',
])

/** A browser that opens an address outside the API gets a page, which repeats nothing of the request. */
function isNotFoundPage({ method, path, headers: sent }: Draft, { status, headers, text }: Answer): boolean {
  const accepts = sent.some(([name, value]) => name.toLowerCase() === 'accept' && value.includes('text/html'))
  const isOutside = method === 'GET' && !/^\/(api|operator)(\/|$)/.test(path)
  const isPage =
    headers['content-type'] === 'text/html; charset=utf-8' && text.endsWith('</main></body></html>\n')
  return status === 404 && accepts && isOutside && isPage
}

/** Errors must follow RFC 9457 and the contract. */
function wrongProblem({ status, headers, text }: Answer, codes: ReadonlySet<unknown>): string[] {
  const json = jsonOf(text)
  if (
    !/^application\/problem\+json\b/.test(headers['content-type'] ?? '') ||
    typeof json !== 'object' ||
    !json
  )
    return [`not a problem: ${headers['content-type']} ${text.slice(0, 100)}`]
  const faults = Array.isArray(json.errors) ? json.errors : []
  const pointed = faults.every((one: { pointer: unknown; detail: unknown }) => {
    return typeof one.pointer === 'string' && typeof one.detail === 'string' && one.detail !== ''
  })
  const replayed = headers['idempotent-replayed'] !== undefined
  const checks: Readonly<Record<string, boolean>> = {
    status: json.status === status,
    code: codes.has(json.code),
    type: json.type === `/problems/${String(json.code).replaceAll('_', '-')}`,
    title: typeof json.title === 'string' && json.title !== '',
    detail: typeof json.detail === 'string' && json.detail !== '' && json.detail.isWellFormed(),
    message: json.message === json.detail,
    requestId: replayed || json.requestId === headers['x-request-id'],
    errors: status === 400 ? faults.length > 0 && pointed : json.errors === undefined,
    'WWW-Authenticate': status !== 401 || (headers['www-authenticate'] ?? '').startsWith('Bearer'),
    Allow: status !== 405 || Boolean(headers['allow']),
    'Retry-After': !retried.has(json.code) || Boolean(headers['retry-after']),
  }
  const names = Object.keys(checks).filter((name) => !checks[name])
  return names.map((name) => `${name} of ${status} ${text.slice(0, 300)}`)
}

type Shape = { Check(value: unknown): value is Static<TSchema> }

/** Secrets that a response shows once: only a replay has null instead. */
const shownOnce = new Set(['key', 'token', 'link', 'url'])

function ofFirst(answer: Schema): Schema {
  const fields = Object.entries(answer.properties ?? {}).map(([name, schema]) => {
    return [name, shownOnce.has(name) ? (schema.anyOf?.[0] ?? schema) : schema] as const
  })
  return { ...answer, properties: Object.fromEntries(fields) }
}

type Answered = { readonly status: number; readonly isReplay: boolean }

function shapesOf(document: Document): (operation: Operation, answered: Answered) => Shape | undefined {
  const compiled = new Map<string, Shape>()
  return ({ path, answers, method }, { status, isReplay }) => {
    const answer = answers[status]
    if (!answer || !document.paths[path]) return undefined
    const key = `${method} ${path} ${status} ${isReplay}`
    const schema = isReplay || !answer.properties ? answer : ofFirst(answer)
    const shape = compiled.get(key) ?? (Compile(schema as TSchema) as unknown as Shape)
    compiled.set(key, shape)
    return shape
  }
}

/** A success must match the document's schema of the operation; a twist may have led to another operation. */
function wrongShape(
  draft: Draft,
  { status, headers, text }: Answer,
  shapes: ReturnType<typeof shapesOf>,
): string[] {
  const isText = /^text\/(html|javascript|css|plain)\b/.test(headers['content-type'] ?? '')
  const path = decoded(pathOf(draft))
  if ((isText && isPage(pathOf(draft))) || /\/export\/[a-z]+\.(csv|ndjson)$/.test(path)) return []
  if (/^text\/event-stream\b/.test(headers['content-type'] ?? '') && /\/stream\/*$/.test(path)) return []
  const json = jsonOf(text)
  if (!/^application\/json\b/.test(headers['content-type'] ?? '') || json === undefined)
    return [`shape: not JSON: ${headers['content-type']} ${text.slice(0, 100)}`]
  const led =
    draft.method === draft.operation.method && !draft.twists.some((name) => /segment|root/.test(name))
  const isReplay = headers['idempotent-replayed'] !== undefined
  const shape = led ? shapes(draft.operation, { status, isReplay }) : undefined
  return !shape || shape.Check(json) ? [] : [`shape: not as documented: ${text.slice(0, 300)}`]
}
