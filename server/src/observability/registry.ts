/** Metrics in Prometheus's text format 0.0.4. Counting a request costs one addition. */

export const contentType = 'text/plain; version=0.0.4; charset=utf-8'

type Kind = 'counter' | 'gauge' | 'histogram'

/** A metric's name, type, help text and labels. */
export type MetricDescription = {
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

/** One of a family, with its own label values. */
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
  /** How many values were within each bound and not within the one before; the last are above all bounds. */
  readonly #counts: number[]
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = Array(bounds.length + 1).fill(0)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let at = 0
    // There are a dozen bounds, and most values are small.
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

/** All metrics with one name. Code that counts often keeps the instance that `of` returns. */
export class Family<One extends Counter | Histogram> {
  readonly described: MetricDescription
  readonly #make: () => One
  readonly #ones = new Map<string, { readonly labels: string; readonly one: One }>()

  constructor(described: MetricDescription, make: () => One) {
    this.described = described
    this.#make = make
  }

  /** The metric with these label values. There are few: routes, statuses, codes, never client input. */
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

/** A value that is read on a scrape; undefined when it is unknown. */
type Look = () => number | undefined

/** All metrics. */
export class Registry {
  readonly #entries: { readonly described: MetricDescription; readonly lines: () => string }[] = []

  get described(): readonly MetricDescription[] {
    return this.#entries.map(({ described }) => described)
  }

  counter(name: string, help: string, labels: readonly string[] = []): Family<Counter> {
    return this.#add(new Family({ name, kind: 'counter', help, labels }, () => new Counter()))
  }

  /** A gauge that is set when it is created. */
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

  /** Unknown values are left out: a stale number would be mistaken for a current one. */
  looked(described: Omit<MetricDescription, 'labels'>, look: Look): void {
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
