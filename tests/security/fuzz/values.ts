import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './document.ts'
import { bytesOf } from './draft.ts'

/** Integers around every boundary, and numbers that only look like integers. */
// biome-ignore format: a table
// biome-ignore format: a table
const numbers = [
  '0', '-0', '-0.0', '0e0', '1', '-1', '5.0', '5e0', '5E+0', '50e-1', '0.5', '1.5', '1e400', '-1e400',
  '1e-400', '1e999999999', '1e-999999999', '2147483647', '2147483648', '-2147483649', '4294967296',
  '9007199254740991', '-9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740992',
  '9223372036854775807', '9223372036854775808', '-9223372036854775808', '18446744073709551616',
  '9223372036854775807.0', '1190194345295482952.0', '119019434529548295.2e1', '0.1e1',
  '5.00000000000000000000001', '1.7976931348623157e308', '5e-324', '01', '+1', '.5', '5.', '0x10', '1_000',
  'NaN', 'Infinity', '-Infinity', '-', '1e', '٥', '１',
]
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff',
  'a\udc00b',
  '\ud83d\ude00',
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\u202eabc',
  '\u2066x',
  '\ufeff',
  '\uffff',
  '\u2028',
  '\r\n',
  '\u001b[31m',
  '\u0085',
  '\u007f',
  '../../etc/passwd',
  "' or '1'='1",
  '"; --',
  '$1',
  '%s%n',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  '0',
  '1',
  '-1',
  '1e3',
  ' 1',
  '1 ',
  '٣',
  '01',
  '9223372036854775808',
  'includes',
]

const longText = fc
  .tuple(
    fc.constantFrom('a', '\0', '👩', '"', '\\', '0', 'e\u0301'),
    fc.constantFrom(101, 129, 256, 501, 3_000, 70_000),
  )
  .map(([unit, times]) => unit.repeat(times))

export const hostileText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 600 }) },
  { weight: 1, arbitrary: longText },
)

const deep = fc
  .tuple(fc.constantFrom('[', '{"a":'), fc.constantFrom(10, 63, 64, 65, 1_000, 50_000), fc.boolean())
  .map(
    ([open, times, closed]) =>
      open.repeat(times) + (closed ? `1${(open === '[' ? ']' : '}').repeat(times)}` : ''),
  )

const long = fc
  .tuple(
    fc.constantFrom('1', '"a"', 'null', '{}', '[]', '1190194345295482952'),
    fc.constantFrom(1_000, 1_001, 40_000),
  )
  .map(([item, times]) => `[${`${item},`.repeat(times - 1)}${item}]`)

/** A string in JSON as a careless client writes it: escapes, raw control characters, or bytes as they are. */
const quoted = fc.tuple(hostileText, fc.constantFrom('escaped', 'raw', 'hex')).map(([text, how]) => {
  if (how === 'escaped') return bytesOf(JSON.stringify(text))
  if (how === 'raw') return `"${bytesOf(text)}"`
  const units = Array.from({ length: Math.min(text.length, 2_000) }, (_, at) => text.charCodeAt(at))
  return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`
})

/** The source of an unexpected JSON value. */
export const hostileJson: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...numbers).map(bytesOf) },
  { weight: 4, arbitrary: quoted },
  {
    weight: 2,
    arbitrary: fc.constantFrom('null', 'true', 'false', '{}', '[]', '[[]]', '{"a":1}', '""', 'nul'),
  },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String) },
  { weight: 1, arbitrary: fc.double().map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => bytesOf(JSON.stringify(value))) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: long },
)

/** Values that make a request succeed, by the name of their field: a schema alone rarely hits a member. */
export type Known = Readonly<Record<string, Arbitrary<string>>>

const shortText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })

/** The source of a JSON value that matches a schema. */
export function asAsked(schema: Schema, known: Known): Arbitrary<string> {
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const))
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)))
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => asAsked(one, known)))
  switch (schema.type) {
    case 'object':
      return objectAsAsked(schema, known)
    case 'array':
      return fc
        .array(asAsked(schema.items ?? {}, known), { minLength: schema.minItems ?? 0, maxLength: 4 })
        .map((items) => `[${items.join(',')}]`)
    case 'integer':
    case 'number':
      return fc
        .integer({ min: Math.max(schema.minimum ?? 0, -100), max: Math.min(schema.maximum ?? 100, 100) })
        .map(String)
    case 'string':
      return textAsAsked(schema).map((text) => bytesOf(JSON.stringify(text)))
    case 'boolean':
      return fc.constantFrom('true', 'false')
    default:
      return fc.constant('null')
  }
}

export function textAsAsked({ pattern, maxLength = 12 }: Schema): Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  return shortText.map((text) => Array.from(text).slice(0, maxLength).join(''))
}

function objectAsAsked(schema: Schema, known: Known): Arbitrary<string> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const value = known[name] ?? asAsked(field, known)
    const always = schema.required?.includes(name)
    return fc
      .tuple(value, always ? fc.constant(0) : fc.integer({ min: 0, max: 3 }))
      .map(([source, absent]) => (absent > 0 ? undefined : `${JSON.stringify(name)}:${source}`))
  })
  return fc.tuple(...fields).map((given) => `{${given.filter((one) => one !== undefined).join(',')}}`)
}
