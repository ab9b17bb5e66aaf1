import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, JsonError, JsonNumber, parseJson, wholeNumber } from '../../src/http/wire/json.ts'

const runs = { numRuns: 500 }

/** Plain objects for comparing: parsed objects have no prototype, and numbers are text. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const fails = (text: string) => assert.throws(() => parseJson(text), JsonError, text.slice(0, 80))

describe('parseJson', () => {
  it('reads everything that JSON.stringify writes, like JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.deepEqual(plain(parseJson(text)), plain(JSON.parse(text)))
      }),
      runs,
    )
  })

  it('reads every string, with every escape, like JSON.parse', () => {
    const unit = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string())
    const escaped = (text: string) =>
      Array.from(text.split(''), (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
    fc.assert(
      fc.property(unit, (text) => {
        assert.equal(parseJson(JSON.stringify(text)), text)
        assert.equal(parseJson(`"${escaped(text)}"`), text)
      }),
      runs,
    )
    assert.equal(parseJson('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00"'), '"\\/\b\f\n\r\té😀')
    assert.equal(parseJson('"\u007f\u0085\u2028"'), '\u007f\u0085\u2028')
    assert.equal(parseJson('"\\ud800"'), '\ud800')
  })

  it('agrees with JSON.parse on what is JSON and what is not', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\',
      '-',
      '+',
      '.',
      'e',
      '0',
      '1',
      'true',
      'null',
      ' ',
    ]
    const odd = fc.array(fc.constantFrom(...pieces, '"a"', '\t', '\u00a0', 'u0041', '\u0000'), {
      maxLength: 8,
    })
    const readable = (read: () => unknown) => {
      try {
        read()
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(odd, (parts) => {
        const text = parts.join('')
        // Duplicate keys are the only thing that JSON.parse accepts and we do not.
        fc.pre(!/"a".*"a"|"".*""/.test(text))
        assert.equal(
          readable(() => parseJson(text)),
          readable(() => JSON.parse(text)),
          JSON.stringify(text),
        )
      }),
      { numRuns: 5_000 },
    )
  })

  it('reads safe integers as numbers, however they are written', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        assert.equal(parseJson(String(value)), value + 0)
        assert.equal(parseJson(`${value}.000`), value + 0)
        if (value !== 0) assert.equal(parseJson(`${value}0e-1`), value)
        assert.equal(parseJson(`${value}E+0`), value + 0)
      }),
      runs,
    )
    for (const zero of ['0', '-0', '0.0', '-0e5', '0e-999999999999'])
      assert.ok(Object.is(parseJson(zero), 0), zero)
  })

  it('loses nothing of any other number', () => {
    const beyond = fc.bigInt({ min: 2n ** 53n, max: 2n ** 200n })
    fc.assert(
      fc.property(beyond, fc.boolean(), (value, negative) => {
        const text = `${negative ? '-' : ''}${value}`
        const read = parseJson(text)
        assert.ok(read instanceof JsonNumber)
        assert.equal(read.source, text)
        assert.equal(JSON.stringify({ read }), `{"read":${text}}`)
      }),
      runs,
    )
    for (const text of ['1.5', '-0.1', '1e400', '1e-1', '0.30000000000000000001', '9007199254740991.5'])
      assert.equal((parseJson(text) as JsonNumber).source, text)
  })

  it('rejects a duplicate key, however it is written', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1,"\\u0061":2}',
      '[{"b":{"":1,"":2}}]',
      '{"__proto__":1,"__proto__":2}',
    ])
      assert.throws(() => parseJson(text), /occurs twice/)
    assert.deepEqual(plain(parseJson('[{"a":1},{"a":1}]')), [{ a: 1 }, { a: 1 }])
  })

  it('reads __proto__ and constructor as keys like any other', () => {
    const read = parseJson('{"__proto__":{"x":1},"constructor":2,"toString":3}') as Record<string, unknown>
    assert.deepEqual(Object.keys(read), ['__proto__', 'constructor', 'toString'])
    assert.equal(read['x'], undefined)
    assert.equal(Object.getPrototypeOf(read), null)
    assert.equal(Object.getPrototypeOf({}), Object.prototype)
  })

  it('reads 64 levels and rejects the 65th, whatever is below it', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    assert.ok(Array.isArray(parseJson(nested(64))))
    assert.throws(() => parseJson(nested(65)), /64 levels/)
    assert.throws(() => parseJson('['.repeat(1_000_000)), /64 levels/)
    assert.throws(() => parseJson('{"a":'.repeat(65)), /64 levels/)
    assert.ok(Array.isArray(parseJson(`[${'[],'.repeat(1_000)}[]]`)))
  })

  it('reads 2,000 fields of an object and 40,000 values in all, and not one more', () => {
    const object = (fields: number) =>
      `{${Array.from({ length: fields }, (_, index) => `"${index}":1`).join(',')}}`
    assert.equal(Object.keys(parseJson(object(2_000)) as object).length, 2_000)
    assert.throws(() => parseJson(object(2_001)), /more than 2000 fields/)
    const lists = (count: number) =>
      `[${Array<string>(count)
        .fill(`[${'1,'.repeat(998)}1]`)
        .join(',')}]`
    assert.ok(Array.isArray(parseJson(lists(39))))
    assert.throws(() => parseJson(lists(40)), /more than 40000 values/)
    const exact = (more: number) => `[${lists(39).slice(1, -1)},[${'1,'.repeat(997 + more)}1]]`
    assert.ok(Array.isArray(parseJson(exact(0))))
    assert.throws(() => parseJson(exact(1)), /more than 40000 values/)
  })

  it('rejects what only looks like JSON', () => {
    for (const text of [
      '',
      ' ',
      '01',
      '-',
      '1.',
      '.1',
      '1e',
      '+1',
      'NaN',
      'tru',
      'nulll',
      "'a'",
      '[1,]',
      '{"a":1,}',
    ])
      fails(text)
    for (const text of [
      '"\n"',
      '"\\v"',
      '"\\u00g0"',
      '"\\u00"',
      '"a',
      '{"a"}',
      '{a:1}',
      '[1 2]',
      '1 1',
      '\ufeff1',
    ])
      fails(text)
  })
})

describe('wholeNumber', () => {
  it('returns the digits of an integer, however it is written', () => {
    for (const [source, digits] of [
      ['5', '5'],
      ['5.0', '5'],
      ['5e0', '5'],
      ['0.5e1', '5'],
      ['500E-2', '5'],
      ['-1.20e+2', '-120'],
      ['9223372036854775807.0', '9223372036854775807'],
      ['922337203685477580.7e1', '9223372036854775807'],
      ['0', '0'],
      ['-0', '0'],
      ['0.000e99', '0'],
      ['1e39', `1${'0'.repeat(39)}`],
    ] as const)
      assert.equal(wholeNumber(source), digits, source)
  })

  it('returns undefined for a fraction, for too many digits and for what is not a number', () => {
    for (const source of [
      '1.5',
      '1e-1',
      '0.1',
      '5.0000001',
      '1e40',
      '1e999999999',
      `${'9'.repeat(41)}`,
      '',
      'x',
      '1n',
    ])
      assert.equal(wholeNumber(source), undefined, source)
  })

  it('is exact for every exponent', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), fc.nat(19), (value, places) => {
        const digits = String(value).padStart(places + 1, '0')
        const point = digits.length - places
        const shifted = `${digits.slice(0, point)}.${digits.slice(point)}0e${places}`
        assert.equal(wholeNumber(shifted), String(value))
      }),
      runs,
    )
  })

  it('takes linear time in the number’s length, not quadratic', () => {
    const startedMs = performance.now()
    wholeNumber(`1${'0'.repeat(30_000)}1e1`)
    assert.ok(performance.now() - startedMs < 250, `${Math.round(performance.now() - startedMs)} ms`)
  })
})

describe('canonicalJson', () => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, field]) => [key, turned(field)]),
    )
  }

  it('is the same text whatever the order of keys, and means the same', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const read = parseJson(JSON.stringify(value))
        const text = canonicalJson(read)
        assert.equal(canonicalJson(parseJson(JSON.stringify(turned(value)))), text)
        assert.deepEqual(JSON.parse(text), plain(value))
      }),
      runs,
    )
  })

  it('is a different text for a different meaning', () => {
    const texts = [
      '{"a":1}',
      '{"a":"1"}',
      '{"a":[1]}',
      '{"a":null}',
      '{}',
      '[]',
      '{"a":1,"b":null}',
      '{"b":1}',
    ]
    const numbers = ['9007199254740992', '9007199254740993', '1.5', '1.51', '1e400', '-1', '1']
    const all = [...texts, ...numbers].map((text) => canonicalJson(parseJson(text)))
    assert.equal(new Set(all).size, all.length)
  })

  it('keeps numbers exactly, and whole ones in one form', () => {
    assert.equal(canonicalJson(parseJson('[12345678901234567890,1.10]')), '[12345678901234567890,1.10]')
    assert.equal(canonicalJson(parseJson('[5.0,5e0,12345678901234567890.0]')), '[5,5,12345678901234567890]')
  })

  it('escapes what PostgreSQL can’t store', () => {
    assert.equal(canonicalJson(parseJson('{"\\u0000":"\\ud800"}')), '{"\\u0000":"\\ud800"}')
  })
})
