import type { Operation } from './document.ts'
import type { Things } from './things.ts'

/** How a body is delimited. */
export type Frame = (bytes: string) => {
  readonly headers: readonly (readonly [string, string])[]
  readonly payload: string
}

/** A request before it is serialized: one byte per character, and <<name>> for a secret. */
export type Draft = {
  readonly operation: Operation
  method: string
  path: string
  /** With its question mark, or ''. */
  query: string
  version: string
  headers: [string, string][]
  body: string | undefined
  frame: Frame
  /** Sent this many times at once on one connection (pipelined). */
  times: number
  /** The twist made it invalid HTTP: no response is required, but the connection must end. */
  broken: boolean
  readonly twists: string[]
}

export type Twist = { readonly name: string; apply(draft: Draft): void }

/** Names of the secrets, used as <<name>>. */
export type Secrets = Readonly<Record<SecretName, string>>

export const secretNames = ['own', 'other', 'operator', 'canary', 'revoked'] as const
export type SecretName = (typeof secretNames)[number]
export const secret = (name: SecretName): string => `<<${name}>>`

/** Text as its UTF-8 bytes, one in each character; a lone surrogate as the three bytes that name it. */
export function bytesOf(text: string): string {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8').toString('latin1')
  return Array.from(text, (one) => {
    if (one.isWellFormed()) return Buffer.from(one, 'utf8').toString('latin1')
    const unit = one.charCodeAt(0)
    return String.fromCharCode(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 63), 0x80 | (unit & 63))
  }).join('')
}

export const byLength: Frame = (bytes) => ({
  headers: [['Content-Length', String(bytes.length)]],
  payload: bytes,
})

/** The value after `Basic`. */
export const inBase64 = (key: string): string => Buffer.from(`${key}:`).toString('base64')

function fill(text: string, secrets: Secrets): string {
  if (!text.includes('<<')) return text
  return text.replaceAll(/<<([a-z]+)(64)?>>/g, (_, name: SecretName, encoded) =>
    encoded ? inBase64(secrets[name]) : secrets[name],
  )
}

/** Placeholders of secrets and things in a draft, with their values on this server. */
export type Values = { readonly secrets: Secrets; readonly things: Things }

/** The bytes to send; without `values`, readable and with placeholders. */
export function render(draft: Draft, values?: Values): string {
  const filled = (text: string) => (values ? values.things.fill(fill(text, values.secrets)) : text)
  const { headers, payload } =
    draft.body === undefined ? { headers: [], payload: '' } : draft.frame(filled(draft.body))
  const lines = [...draft.headers, ...headers].map(([name, value]) => `${filled(`${name}: ${value}`)}\r\n`)
  const first = filled(`${draft.method} ${draft.path}${draft.query} ${draft.version}`).trimEnd()
  return `${first}\r\n${lines.join('')}\r\n${payload}`.repeat(draft.times)
}

/** The secret in the first Authorization header, as the server must parse it. */
export function shown(draft: Draft): SecretName | undefined {
  const [, given = ''] = draft.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
  const text = given.replace(/^bearer +/i, '').trim()
  return secretNames.find((name) => text === secret(name))
}

/** Percent-decoded; unchanged when its escapes are invalid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Long runs are shortened, so that a finding is one readable line; the seed reproduces the full request. */
export function escaped(bytes: string): string {
  const text = JSON.stringify(bytes).replaceAll(
    /[\u007f-\u00ff]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16)}`,
  )
  return text.length <= 1_500
    ? text
    : `${text.slice(0, 1_200)}… ${text.length} characters …${text.slice(-200)}`
}
