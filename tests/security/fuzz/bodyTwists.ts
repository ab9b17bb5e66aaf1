import fc, { type Arbitrary } from 'fast-check'
import { byLength, bytesOf, type Draft, type Frame, secret, type Twist } from './draft.ts'
import { hostileJson, hostileText } from './values.ts'
import { memberIds, realms } from './world.ts'

const twist = (name: string, apply: (draft: Draft) => void): Twist => ({ name, apply })

/** `{"a":1,…}` with one more field in front; the rest may be anything. */
export function withField(body: string | undefined, name: string, source: string): string {
  const rest = (body ?? '{}').replace(/^\s*\{/, '')
  return `{${bytesOf(JSON.stringify(name))}:${source}${rest.trim() === '}' ? '' : ','}${rest}`
}

const rewrittenCap = 2_000

/** Undefined when an earlier twist left no object, or one too deep to serialize. */
function fieldsOf(body: string): Record<string, unknown> {
  if (body.length > rewrittenCap) return {}
  try {
    const value: unknown = JSON.parse(Buffer.from(body, 'latin1').toString('utf8'))
    return typeof value === 'object' ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A field of the body with another value; the old value is removed where possible. */
function replaced(draft: Draft, pick: number, source: string): void {
  const names = Object.keys(draft.operation.body?.properties ?? {})
  const name = names[pick % Math.max(names.length, 1)] ?? 'tokens'
  const fields = fieldsOf(draft.body ?? '{}')
  delete fields[name]
  draft.body = withField(bytesOf(JSON.stringify(fields)), name, source)
}

const cuts: Readonly<Record<string, (body: string, at: number) => string>> = {
  truncated: (body, at) => body.slice(0, Math.floor(body.length * at)),
  'a trailing comma': (body) => body.replace(/\}\s*$/, ',}'),
  'a BOM': (body) => `\xef\xbb\xbf${body}`,
  'UTF-16': (body) => Buffer.from(`\ufeff${body}`, 'utf16le').toString('latin1'),
  'two values': (body) => `${body}${body}`,
  'a comment': (body) => `/* */${body}// x`,
  'single quotes': (body) => body.replaceAll('"', "'"),
  'a wild byte': (body, at) =>
    `${body.slice(0, Math.floor(body.length * at))}\xff${body.slice(Math.floor(body.length * at))}`,
  'an overlong byte': (body) => body.replace('"', '"\xc0\x80'),
  'only blanks': () => ' \t\r\n ',
  nothing: () => '',
  'a NUL behind': (body) => `${body}\0`,
  'padded by a lot': (body, at) => body + ' '.repeat(Math.floor(200_000 + at * 120_000)),
  'a form': () => 'tokens=5&recipientId=5',
}

/** A whole request in the body: a server that miscounts lengths executes it (request smuggling). */
const smuggled =
  `PATCH /api/v4/realms/${realms.amber.id}/members/${memberIds[0]}/tokenBalance HTTP/1.1\r\nHost: x\r\n` +
  `Authorization: ${secret('own')}\r\nContent-Length: 13\r\n\r\n{"tokens": 7}`

const chunk = (bytes: string): string => (bytes === '' ? '' : `${bytes.length.toString(16)}\r\n${bytes}\r\n`)
const chunked = ['Transfer-Encoding', 'chunked'] as const

type Framing = { readonly frame: Frame; readonly broken: boolean }

const right = (frame: Frame): Framing => ({ frame, broken: false })
const wrong = (frame: Frame): Framing => ({ frame, broken: true })
const lengths = (...values: string[]): Framing =>
  wrong((payload) => ({ headers: values.map((value) => ['Content-Length', value] as const), payload }))

const framings: Readonly<Record<string, Framing>> = {
  'in chunks': right((bytes) => ({
    headers: [chunked],
    payload: `${chunk(bytes.slice(0, 3))}${chunk(bytes.slice(3))}0\r\n\r\n`,
  })),
  'chunks with extensions and trailers': right((bytes) => ({
    headers: [chunked, ['Trailer', 'X-After']],
    payload: `${chunk(bytes).replace('\r\n', ';a=b;c="d"\r\n')}0\r\nX-After: 1\r\nAuthorization: x\r\n\r\n`,
  })),
  'chunked in capitals': right((bytes) => ({
    headers: [['transfer-encoding', 'CHUNKED']],
    payload: `${chunk(bytes)}0\r\n\r\n`,
  })),
  'one byte in each chunk': right((bytes) => ({
    headers: [chunked],
    payload: `${Array.from(bytes.slice(0, 2_000), chunk).join('')}${chunk(bytes.slice(2_000))}0\r\n\r\n`,
  })),
  'a length and chunks': wrong((bytes) => ({
    headers: [['Content-Length', '4'], chunked],
    payload: `${chunk(bytes)}0\r\n\r\n${smuggled}`,
  })),
  'chunks and a length': wrong((bytes) => ({
    headers: [chunked, ['Content-Length', String(bytes.length)]],
    payload: `0\r\n\r\n${smuggled}`,
  })),
  'identity and chunked': wrong((bytes) => ({
    headers: [['Transfer-Encoding', 'chunked, identity']],
    payload: `${chunk(bytes)}0\r\n\r\n`,
  })),
  'gzip and chunked': wrong((bytes) => ({
    headers: [['Transfer-Encoding', 'gzip, chunked']],
    payload: `${chunk(bytes)}0\r\n\r\n`,
  })),
  'a chunk of no size': wrong((bytes) => ({ headers: [chunked], payload: `xyz\r\n${bytes}\r\n0\r\n\r\n` })),
  'a chunk of any size': wrong((bytes) => ({
    headers: [chunked],
    payload: `fffffffffffffffff\r\n${bytes}\r\n0\r\n\r\n`,
  })),
  'a chunk that ends early': wrong((bytes) => ({ headers: [chunked], payload: `ffff\r\n${bytes}` })),
  'no length': wrong((payload) => ({ headers: [], payload })),
  'two equal lengths': wrong((bytes) => {
    const length = ['Content-Length', String(bytes.length)] as const
    return { headers: [length, length], payload: bytes }
  }),
  'a length that is too long': wrong((payload) => ({
    headers: [['Content-Length', String(payload.length + 10)]],
    payload,
  })),
  'a length that is too short': wrong((bytes) => ({
    headers: [['Content-Length', String(Math.max(bytes.length - 3, 0))]],
    payload: bytes,
  })),
  'two lengths': lengths('3', '4'),
  'a list of lengths': lengths('4, 4'),
  'a negative length': lengths('-1'),
  'a signed length': lengths('+4'),
  'a length in hex': lengths('0x4'),
  'a length beyond all': lengths('99999999999999999999999'),
  'a length beyond memory': lengths('9007199254740993'),
  'an empty length': lengths(''),
}

const framed = fc.constantFrom(...Object.entries(framings)).map(([name, { frame, broken }]) =>
  twist(name, (draft) => {
    draft.body ??= '{"tokens":5}'
    draft.frame = frame
    if (broken) draft.broken = true
  }),
)

export const bodyTwist: Arbitrary<Twist> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(20), hostileJson)
      .map(([pick, source]) => twist('another value', (draft) => replaced(draft, pick, source))),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(hostileText, hostileJson).map(([name, source]) =>
      twist('another field', (draft) => {
        draft.body = withField(draft.body, name, source)
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(20).map((pick) =>
      twist('a field given twice', (draft) => {
        const names = Object.keys(draft.operation.body?.properties ?? { a: 1 })
        const name = names[pick % names.length] ?? 'a'
        draft.body = withField(withField(draft.body, name, '1'), name, '2')
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: hostileJson.map((source) =>
      twist('another body', (draft) => {
        draft.body = source
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.constantFrom(...Object.entries(cuts)), fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([[name, cut], at]) =>
        twist(name, (draft) => {
          draft.body = cut(draft.body ?? '{"tokens":5}', at)
        }),
      ),
  },
  { weight: 3, arbitrary: framed },
  {
    weight: 1,
    arbitrary: fc.constant(
      twist('no body', (draft) => {
        draft.body = undefined
        draft.frame = byLength
      }),
    ),
  },
)
