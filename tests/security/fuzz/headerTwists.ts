import fc, { type Arbitrary } from 'fast-check'
import { bytesOf, type Draft, secret, type Twist } from './draft.ts'
import { hostileText } from './values.ts'

const twist = (name: string, apply: (draft: Draft) => void): Twist => ({ name, apply })

export const set = (draft: Draft, name: string, value: string): void => {
  draft.headers = draft.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase())
  draft.headers.push([name, value])
}

// biome-ignore format: a table
const idempotencyKeys = [
  'k1', 'k2', 'k3', 'k1', 'a'.repeat(255), 'a'.repeat(256), ' ', '', 'a b', '\xff', '\x7f', 'é',
  '"quoted"', '__proto__', 'k1, k2', secret('canary'), '0', '\t',
]

const idempotency = fc.tuple(fc.constantFrom(...idempotencyKeys), fc.nat(5)).map(([key, twice]) =>
  twist('an Idempotency-Key', (draft) => {
    set(draft, 'Idempotency-Key', key)
    if (twice === 0) draft.headers.push(['idempotency-key', 'k9'])
  }),
)

// biome-ignore format: a list
const types = [
  'text/plain', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'application/json;', ';', '', ' ',
  'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/merge-patch+json',
  '*/*', 'application/json, text/plain', 'a'.repeat(5_000),
]

/** A header with an unexpected value; still valid HTTP. */
const plain: readonly (readonly [string, string])[] = [
  ...types.map((type) => ['Content-Type', type] as const),
  ...['gzip', 'identity', 'IDENTITY', 'br, gzip', ''].map((one) => ['Content-Encoding', one] as const),
  ['Expect', '100-continue'],
  ['Expect', '100-Continue'],
  ['Expect', 'the-unexpected'],
  ['Accept', 'text/html;q=NaN'],
  ['Accept-Encoding', 'gzip;q=1e400'],
  ['Connection', 'close'],
  ['Connection', 'keep-alive, close, Authorization'],
  ['Keep-Alive', 'timeout=999999'],
  ['Host', ''],
  ['Host', 'a,b'],
  ['Host', 'localhost:99999'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/operator/v1/realms'],
  ['X-Forwarded-For', '127.0.0.1, ::1, \xff'],
  ['Forwarded', 'for="_gazonk"'],
  ['X-Request-Id', 'mine\x7f'],
  ['Range', 'bytes=0-1'],
  ['If-Match', '*'],
  ['Date', 'yesterday'],
  ['Cookie', `key=${secret('own')}; token=${secret('operator')}`],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['X-Long', 'a'.repeat(20_000)],
]

const withPlain = fc.tuple(fc.constantFrom(...plain), fc.nat(3)).map(([[name, value], more]) =>
  twist(`a ${name} header`, (draft) => {
    if (more === 0) draft.headers.push([name, value])
    else set(draft, name, value)
    if (name === 'Upgrade') draft.headers.push(['Connection', 'Upgrade'])
  }),
)

// biome-ignore format: a table
const credentials = [
  '', ' ', 'Bearer', 'Bearer ', 'bearer', 'Basic Og==', 'Bearer null', 'Bearer undefined', 'Negotiate x',
  '\xff', 'Bearer exq_', `Bearer exq_${'0'.repeat(36)}`, `Bearer ${'a'.repeat(15_000)}`,
  `Token ${secret('own')}`, `Bearer ${secret('own')}x`, `Bearer Bearer ${secret('own')}`,
  `Bearer ${secret('own')},${secret('other')}`, `Bearer "${secret('own')}"`, `${secret('canary')}, x`,
  `Basic ${secret('canary')}`, `Bearer ${secret('revoked')}`,
]

const credential = fc.tuple(fc.constantFrom(...credentials), fc.nat(2)).map(([value, where]) =>
  twist('another credential', (draft) => {
    if (where === 0) draft.headers.unshift(['authorization', value])
    else if (where === 1) draft.headers.push(['AUTHORIZATION', value])
    else set(draft, 'Authorization', value)
  }),
)

const noHost = fc.constant(
  twist('no Host', (draft) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Host')
  }),
)

/** Lines that are not valid headers: the server must answer or close the connection, never stay silent. */
const broken: Readonly<Record<string, (draft: Draft) => void>> = {
  'a line without a colon': (draft) => draft.headers.push(['nonsense\r\nX-A', '1']),
  'a blank before the colon': (draft) => draft.headers.push(['X-Blank ', '1']),
  'a folded line': (draft) => draft.headers.push(['X-Folded', `a\r\n ${secret('canary')}`]),
  'a bare line feed': (draft) => draft.headers.push(['X-Feed', 'a\nX-B: b']),
  'a bare return': (draft) => draft.headers.push(['X-Return', 'a\rX-B: b']),
  'a NUL in a value': (draft) => draft.headers.push(['X-Nul', 'a\0b']),
  'a control character in a value': (draft) => draft.headers.push(['X-Control', 'a\x01b']),
  'no name': (draft) => draft.headers.push(['', secret('canary')]),
  'high bytes in a name': (draft) => draft.headers.push(['X-\xff', '1']),
  'a huge header': (draft) => draft.headers.push(['X-Huge', `${secret('canary')}${'a'.repeat(40_000)}`]),
  'a great many headers': (draft) => draft.headers.push(...many(3_000)),
  'a second Host': (draft) => draft.headers.push(['Host', 'other.test']),
  'an early end': (draft) => draft.headers.push(['X-End', '1\r\n\r\n']),
}

const many = (count: number): [string, string][] => Array.from({ length: count }, (_, at) => [`X-${at}`, '1'])

const misshapen = fc.constantFrom(...Object.entries(broken)).map(([name, apply]) =>
  twist(name, (draft) => {
    apply(draft)
    draft.broken = true
  }),
)

const hostileHeader = hostileText.map((text) =>
  twist('a hostile header', (draft) => {
    const value = bytesOf(text)
      .replaceAll(/[^ -~\u0080-\u00ff]/g, '?')
      .slice(0, 10_000)
    draft.headers.push(['X-Hostile', value])
  }),
)

export const headerTwist: Arbitrary<Twist> = fc.oneof(
  { weight: 4, arbitrary: idempotency },
  { weight: 4, arbitrary: withPlain },
  { weight: 3, arbitrary: credential },
  { weight: 1, arbitrary: noHost },
  { weight: 2, arbitrary: misshapen },
  { weight: 1, arbitrary: hostileHeader },
)
