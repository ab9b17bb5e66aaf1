import type { IncomingHttpHeaders } from 'node:http'
import { JsonNumber, parseJson } from '../../server/src/http/wire/json.ts'

/** A request as a call of a client library. */
export type RequestedStatement = {
  readonly realm: string
  readonly key: string
  readonly verb: 'member' | 'web3' | 'includes' | 'adjust' | 'transfer'
  readonly member?: string
  readonly recipient?: string
  /** A number, or anything that a caller might pass as one. */
  readonly tokens?: unknown
  readonly wallets?: unknown
  readonly said: Readonly<Record<string, unknown>>
  readonly idempotencyKey?: string
}

export type SentStatement = {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const memberId = /^[1-9][0-9]{0,18}$/
const path = /^\/api\/v4\/realms\/([\w-]+)\/(web3\/)?members\/([1-9][0-9]{0,18}|includes)(\/\w+)?$/
const sayable = ['realmPointId', 'reason', 'reference', 'metadata', 'actorId']

/** Undefined for what the client can't send: an invalid id, a body that is not JSON, another header. */
export function askedOf({ method, url, headers, body }: SentStatement): RequestedStatement | undefined {
  const { authorization = '', 'idempotency-key': idempotencyKey, 'content-type': type = '' } = headers
  const [, key] = /^Bearer (\S+)$/.exec(authorization) ?? []
  const [, realm, web3, member, action] = path.exec(url) ?? []
  if (!key || !realm || !member || !/^(application\/json.*)?$/.test(type)) return undefined
  const fields = body === '' ? {} : fieldsOf(body)
  const kept = idempotencyKey === undefined ? {} : { idempotencyKey: String(idempotencyKey) }
  const base = { realm, key, member, said: {}, ...kept }
  if (!fields) return undefined
  if (member === 'includes') return includesOf(base, { method, action, web3, fields })
  if (method === 'GET' && body === '' && !action) return { ...base, verb: web3 ? 'web3' : 'member' }
  if (method !== 'PATCH' || web3 || !('tokens' in fields)) return undefined
  return changeOf(base, action, fields)
}

type Base = Omit<RequestedStatement, 'verb'>
type Fields = Readonly<Record<string, unknown>>
type Parts = { method: string; action: string | undefined; web3: string | undefined; fields: Fields }

function includesOf(base: Base, { method, action, web3, fields }: Parts): RequestedStatement | undefined {
  const only = Object.keys(fields).join() === 'wallets'
  if (action || web3 || !only || !['GET', 'POST', 'QUERY'].includes(method)) return undefined
  return { ...base, verb: 'includes', wallets: fields['wallets'] }
}

function changeOf(base: Base, action: string | undefined, fields: Fields): RequestedStatement | undefined {
  const { tokens, recipientId, ...said } = fields
  const { actorId = '1' } = said
  const amount = tokens instanceof JsonNumber ? Number(tokens.source) : tokens
  const known = Object.keys(said).every((name) => sayable.includes(name))
  if (!known || !isId(actorId) || (typeof amount === 'number' && !Number.isFinite(amount))) return undefined
  if (action === '/tokenBalance' && recipientId === undefined)
    return { ...base, verb: 'adjust', tokens: amount, said }
  if (action !== '/transfer' || !isId(recipientId)) return undefined
  return { ...base, verb: 'transfer', tokens: amount, recipient: textOf(recipientId), said }
}

/** As a number it may be beyond 2^53, so its digits are used. */
const textOf = (id: unknown): string => (id instanceof JsonNumber ? id.source : String(id))
const isId = (id: unknown): boolean =>
  (typeof id !== 'object' || id instanceof JsonNumber) && memberId.test(textOf(id))

function fieldsOf(body: string): Fields | undefined {
  try {
    const fields = parseJson(body)
    return typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? (fields as Fields)
      : undefined
  } catch {
    return undefined
  }
}
