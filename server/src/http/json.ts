/**
 * A JSON reader that loses nothing: JSON.parse rounds integers above 2^53 to another member's id and takes
 * the last of two equal keys. Integers that a number holds exactly become numbers; any other number keeps its
 * source text.
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

// Standard since ES2026 and in Node since 22; TypeScript's library does not name it yet.
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (this: void, text: string) => unknown }

export class JsonError extends Error {}

const depthCap = 64
/** No list of ours may have more than 1,000 items; beyond this it is not even read to its end. */
const itemsCap = 2_000
const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y
const plainPattern = /[^"\\\p{Cc}]*/uy
/** What keeps a string from being its own source text. */
const awkwardPattern = /[\\\p{Cc}]/u
const blankPattern = /[ \t\n\r]*/y
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

export function parseJson(text: string): unknown {
  return new Reader(text).whole()
}

class Reader {
  readonly #text: string
  #at = 0
  #depth = 0

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
    do {
      this.#blanks()
      const key = this.#string()
      if (key in object) throw new JsonError(`The field ${JSON.stringify(key)} is given twice.`)
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
    this.#at += 1
    const end = this.#text.indexOf('"', this.#at)
    const plain = this.#text.slice(this.#at, Math.max(end, this.#at))
    if (end >= 0 && !awkwardPattern.test(plain)) {
      this.#at = end + 1
      return plain
    }
    return this.#awkwardString()
  }

  /** One with escapes, or not a string at all. */
  #awkwardString(): string {
    let value = ''
    for (;;) {
      value += this.#match(plainPattern)
      const next = this.#text[this.#at]
      if (next === '"') {
        this.#at += 1
        return value
      }
      if (next === '\\') value += this.#escape()
      // What is left of the control characters: those above U+001F may stand in a string as they are.
      else if (next !== undefined && next > '\u001f') value += this.#text[this.#at++]
      else this.#fail()
    }
  }

  #escape(): string {
    const kind = this.#text[this.#at + 1] ?? ''
    const plain = Object.hasOwn(escapes, kind) ? escapes[kind] : undefined
    if (plain !== undefined) {
      this.#at += 2
      return plain
    }
    const hex = this.#text.slice(this.#at + 2, this.#at + 6)
    if (kind !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) this.#fail()
    this.#at += 6
    return String.fromCharCode(Number.parseInt(hex, 16))
  }

  #number(): number | JsonNumber {
    numberPattern.lastIndex = this.#at
    const found = numberPattern.exec(this.#text)
    if (!found) this.#fail()
    const [source, fraction, exponent] = found
    this.#at += source.length
    if (fraction === undefined && exponent === undefined) {
      const value = Number(source)
      return Number.isSafeInteger(value) ? value + 0 : new JsonNumber(source)
    }
    const whole = wholeNumber(source)
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
        ? 'The body ends before its JSON does.'
        : `The body is not JSON at character ${this.#at + 1}.`,
    )
  }
}

/**
 * More digits than any whole number we take; it also keeps `1e999999999` from becoming a string of that
 * length.
 */
const digitCap = 40

/**
 * The decimal digits of a JSON number whose exact value is an integer, with its sign; undefined for any
 * other.
 */
export function wholeNumber(source: string): string | undefined {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(source)
  if (!parts) return undefined
  const [, sign = '', units = '', fraction = '', exponent = '0'] = parts
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

/** JSON with sorted keys, so that equal meanings are equal texts. */
export function canonicalJson(value: unknown): string {
  if (value instanceof JsonNumber) return wholeNumber(value.source) ?? value.source
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`
}
