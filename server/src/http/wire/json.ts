/**
 * A lossless JSON parser: JSON.parse rounds integers above 2^53 to another member's id and keeps the last of
 * two equal keys. Integers that a number holds exactly become numbers; any other number keeps its source
 * text.
 */

/** A number that a JavaScript number might not hold exactly. */
export class JsonNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  /** Lets JSON.stringify write the number as it was sent. */
  toJSON(): unknown {
    return rawJson(this.source)
  }
}

// Standard since ES2026 and in Node since 22; TypeScript's library does not declare it yet.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (this: void, text: string) => unknown }

export class JsonError extends Error {}

const depthCap = 64
/** No list in the API has more than 1,000 items; beyond this number parsing stops. */
const itemsCap = 2_000
/** No object in the API, nor 2 KiB of metadata, has as many fields. A full body took 40 to 180 ms. */
const fieldsCap = 2_000
/** For a whole text: a thousand changes with forty values each. 130,000 took 58 to 240 ms. */
const valuesCap = 40_000
const numberPattern = /(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?/y
const blankPattern = /[ \t\n\r]*/y
const codes = {
  space: 32,
  quote: 34,
  point: 46,
  zero: 48,
  nine: 57,
  capitalE: 69,
  backslash: 92,
  e: 101,
} as const

export function parseJson(text: string): unknown {
  return new Reader(text).whole()
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0
  #values = 0

  constructor(text: string) {
    this.#text = text
  }

  whole(): unknown {
    const value = this.#value()
    this.#blanks()
    if (this.#at < this.#text.length) this.#fail()
    return value
  }

  #value(): unknown {
    this.#values += 1
    if (this.#values > valuesCap) throw new JsonError(`The body has more than ${valuesCap} values.`)
    this.#blanks()
    switch (this.#text[this.#at]) {
      case '{':
        return this.#nested(() => this.#object())
      case '[':
        return this.#nested(() => this.#array())
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1
    if (this.#depth > depthCap) throw new JsonError(`The body nests deeper than ${depthCap} levels.`)
    this.#at += 1
    const value = read()
    this.#depth -= 1
    return value
  }

  #object(): Record<string, unknown> {
    // Without a prototype, so that __proto__ is a key like any other.
    const object: Record<string, unknown> = Object.create(null)
    if (this.#take('}')) return object
    let fields = 0
    do {
      if (fields === fieldsCap) throw new JsonError(`An object has more than ${fieldsCap} fields.`)
      fields += 1
      this.#blanks()
      const key = this.#string()
      if (key in object) throw new JsonError(`The field ${JSON.stringify(key)} occurs twice.`)
      if (!this.#take(':')) this.#fail()
      object[key] = this.#value()
    } while (this.#take(','))
    if (!this.#take('}')) this.#fail()
    return object
  }

  #array(): unknown[] {
    const list: unknown[] = []
    if (this.#take(']')) return list
    do {
      if (list.length === itemsCap) throw new JsonError(`A list has more than ${itemsCap} items.`)
      list.push(this.#value())
    } while (this.#take(','))
    if (!this.#take(']')) this.#fail()
    return list
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') this.#fail()
    const from = this.#at
    let at = from + 1
    let isPlain = true
    for (let code = this.#text.charCodeAt(at); code !== codes.quote; code = this.#text.charCodeAt(at)) {
      if (!(code >= codes.space)) {
        // A control character, or the end.
        this.#at = at
        this.#fail()
      }
      if (code === codes.backslash) isPlain = false
      at += code === codes.backslash ? 2 : 1
    }
    this.#at = at + 1
    return isPlain ? this.#text.slice(from + 1, at) : this.#unescaped(from, at + 1)
  }

  #unescaped(from: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(from, end)) as string
    } catch {
      this.#at = from
      return this.#fail()
    }
  }

  #number(): number | JsonNumber {
    return this.#shortInteger() ?? this.#anyNumber()
  }

  /** Up to 15 plain digits: three times as fast as the pattern. */
  #shortInteger(): number | undefined {
    const first = this.#at
    let value = 0
    for (let at = first; at <= first + 15; at += 1) {
      const code = this.#text.charCodeAt(at)
      if (code >= codes.zero && code <= codes.nine) {
        value = value * 10 + code - codes.zero
        continue
      }
      const isLong = code === codes.point || code === codes.e || code === codes.capitalE
      const isPadded = at > first + 1 && this.#text.charCodeAt(first) === codes.zero
      if (at === first || isLong || isPadded) return undefined
      this.#at = at
      return value
    }
    return undefined
  }

  #anyNumber(): number | JsonNumber {
    numberPattern.lastIndex = this.#at
    const found = numberPattern.exec(this.#text)
    if (!found) this.#fail()
    const [source, , , fraction, exponent] = found
    this.#at += source.length
    const isPlain = fraction === undefined && exponent === undefined
    const whole = isPlain ? source : wholeOf(found)
    const value = Number(whole)
    return whole !== undefined && Number.isSafeInteger(value) ? value + 0 : new JsonNumber(source)
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail()
    this.#at += word.length
    return value
  }

  #take(character: string): boolean {
    this.#blanks()
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #blanks(): void {
    if ((this.#text[this.#at] ?? '~') <= ' ') this.#match(blankPattern)
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  #fail(): never {
    throw new JsonError(
      this.#at >= this.#text.length
        ? 'The JSON body is incomplete.'
        : `The body is not valid JSON at character ${this.#at + 1}.`,
    )
  }
}

/**
 * More digits than any whole number we accept; it also keeps `1e999999999` from becoming a string of that
 * length.
 */
const digitCap = 40

/**
 * The decimal digits of a JSON number whose exact value is an integer, with its sign; undefined for any
 * other.
 */
export function wholeNumber(source: string): string | undefined {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(source)
  return parts ? wholeOf(parts) : undefined
}

/** Takes the parts of a number: the source, its sign, units, fraction and exponent. */
function wholeOf([, sign = '', units = '', fraction = '', exponent = '0']: readonly string[]):
  | string
  | undefined {
  const digits = (units + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  // Counted from the end: a pattern for trailing zeros takes quadratic time on digits that have many
  // elsewhere.
  let length = digits.length
  while (digits[length - 1] === '0') length -= 1
  const significant = digits.slice(0, length)
  const zeros = Number(exponent) - fraction.length + digits.length - significant.length
  if (zeros < 0 || significant.length + zeros > digitCap) return undefined
  return sign + significant + '0'.repeat(zeros)
}

/** JSON with sorted keys, so that equal objects are equal texts. */
export function canonicalJson(value: unknown): string {
  if (value instanceof JsonNumber) return wholeNumber(value.source) ?? value.source
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}

/** Whether a value contains more than `most` values; stops counting there. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const left: unknown[] = [value]
  let count = 0
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    if (typeof one !== 'object' || one === null || one instanceof JsonNumber) continue
    const inner: readonly unknown[] = Array.isArray(one) ? one : Object.values(one)
    count += inner.length
    if (count > most) return true
    left.push(...inner)
  }
  return false
}
