/** Numbers as Prometheus reads them: text format 0.0.4. What is counted on every request is one addition. */

export const contentType = 'text/plain; version=0.0.4; charset=utf-8'

type Kind = 'counter' | 'gauge' | 'histogram'

/** What a number is called, and in what it is parted. */
export type Described = {
  readonly name: string
  readonly kind: Kind
  readonly help: string
  readonly labels: readonly string[]
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')

function labelled(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escaped(values[index] ?? '')}"`).join(',')
}

const lineOf = (name: string, labels: string, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${Number.isFinite(value) ? value : 'NaN'}\n`

/** One of a family, with labels of its own. */
export class Counter {
  value = 0

  add(amount = 1): void {
    this.value += amount
  }

  lines(name: string, labels: string): string {
    return lineOf(name, labels, this.value)
  }
}

export class Histogram {
  readonly #bounds: readonly number[]
  /** How many were within each bound and not within the one before; the last are beyond all. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let at = 0
    // A dozen bounds, and most that is observed is small.
    while (at < bounds.length && value > (bounds[at] as number)) at += 1
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
  }

  lines(name: string, labels: string): string {
    const before = labels === '' ? '' : `${labels},`
    let count = 0
    let text = ''
    this.#counts.forEach((within, index) => {
      count += within
      text += lineOf(`${name}_bucket`, `${before}le="${this.#bounds[index] ?? '+Inf'}"`, count)
    })
    return text + lineOf(`${name}_sum`, labels, this.#sum) + lineOf(`${name}_count`, labels, count)
  }
}

/** All with one name. Whoever counts often keeps the one it was handed. */
export class Family<One extends Counter | Histogram> {
  readonly described: Described
  readonly #make: () => One
  readonly #ones = new Map<string, { readonly labels: string; readonly one: One }>()

  constructor(described: Described, make: () => One) {
    this.described = described
    this.#make = make
  }

  /** The one with these labels. Their values are few: routes, statuses, codes, never what a caller sent. */
  of(...values: readonly string[]): One {
    const key = values.join('\n')
    const known = this.#ones.get(key)
    if (known) return known.one
    const one = this.#make()
    this.#ones.set(key, { labels: labelled(this.described.labels, values), one })
    return one
  }

  lines(): string {
    const { name } = this.described
    return [...this.#ones.values()].map(({ labels, one }) => one.lines(name, labels)).join('')
  }
}

/** A number that is looked up when it is asked for; undefined when it is not known. */
type Look = () => number | undefined

/** Everything that is counted. */
export class Registry {
  readonly #entries: { readonly described: Described; readonly lines: () => string }[] = []

  get described(): readonly Described[] {
    return this.#entries.map(({ described }) => described)
  }

  counter(name: string, help: string, labels: readonly string[] = []): Family<Counter> {
    return this.#add(new Family({ name, kind: 'counter', help, labels }, () => new Counter()))
  }

  /** One that is set when it is made. */
  gauge(name: string, help: string, labels: readonly string[] = []): Family<Counter> {
    return this.#add(new Family({ name, kind: 'gauge', help, labels }, () => new Counter()))
  }

  histogram(
    name: string,
    help: string,
    { bounds, labels = [] }: { readonly bounds: readonly number[]; readonly labels?: readonly string[] },
  ): Family<Histogram> {
    return this.#add(new Family({ name, kind: 'histogram', help, labels }, () => new Histogram(bounds)))
  }

  /** What is not known is left out: a number that stands still would be taken for true. */
  looked(described: Omit<Described, 'labels'>, look: Look): void {
    const lines = () => {
      const value = look()
      return value === undefined ? '' : lineOf(described.name, '', value)
    }
    this.#entries.push({ described: { ...described, labels: [] }, lines })
  }

  text(): string {
    return this.#entries
      .map(({ described: { name, kind, help }, lines }) => {
        const text = lines()
        return text === '' ? '' : `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${text}`
      })
      .join('')
  }

  #add<One extends Counter | Histogram>(family: Family<One>): Family<One> {
    this.#entries.push({ described: family.described, lines: () => family.lines() })
    return family
  }
}
