import { hash as digest } from 'node:crypto'

/** The time of the first step, and the interval between steps. */
const beginMs = Date.parse('2026-01-15T09:30:00Z')
const stepMs = 20_000
/** What follows the seconds: microseconds, or what is left of them where fewer digits are written. */
const fraction = '417352'
const dayMs = 86_400_000
const minuteMs = 60_000
/** Dates further away do not come from the run. */
const daysCap = 400

/** Values that differ from run to run, anywhere in a text. The first match counts. */
const volatile = new RegExp(
  [
    '(?<instant>\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z)',
    '(?<receiver>http://127\\.0\\.0\\.1:\\d+/events)',
    '(?<signing>whsec_[A-Za-z0-9+/]{43}=)',
    '(?<event>(?<=evt_\\w{1,20}_)[0-9a-f]{16}(?![0-9A-Za-z]))',
    '(?<secret>ex[a-z]_[0-9A-Za-z]{36})',
    '(?<signature>0x[0-9a-f]{130}(?![0-9a-f]))',
    '(?<token>(?<=\\.)[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-]))',
    '(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})',
    '(?<hash>(?:(?<![0-9A-Za-z])|(?<=%3A))(?:[0-9a-f]{64}|[0-9a-f]{32})(?![0-9A-Za-z]))',
    '(?<root>(?<![0-9A-Za-z+/])[0-9A-Za-z+/]{43}=)',
    '(?<noteSignature>(?<![0-9A-Za-z+/])[0-9A-Za-z+/]{91}=)',
    '(?<micros>(?<![0-9.])1\\d{15}(?![0-9]))',
    '(?<day>(?<![0-9-])\\d{4}-\\d\\d-\\d\\d(?![0-9T-]))',
  ].join('|'),
  'g',
)

type Kind =
  | 'receiver'
  | 'signing'
  | 'event'
  | 'instant'
  | 'secret'
  | 'signature'
  | 'token'
  | 'uuid'
  | 'hash'
  | 'root'
  | 'noteSignature'
  | 'micros'
  | 'day'

/** Values that the process measures, so they vary. An idle server has these. */
const measured: Readonly<Record<string, number>> = {
  lagMs: 0,
  realmsBehind: 0,
  waiting: 0,
  connections: 1,
  durationMs: 42,
}

/** A database's system, its timeline and a transaction, in cursors of the operator feed. */
const feedPlace = ['7460000000000000000', '00000001', '1000']

const sha = (text: string): string => digest('sha256', text, 'hex')
/** A UUID of these digits, in the form of a random one. */
const uuidOf = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`
/** The id of the key stays. */
const noteSignature = (found: string, count: number): string =>
  Buffer.concat([
    Buffer.from(found, 'base64').subarray(0, 4),
    Buffer.from(sha(`R ${count}`) + sha(`S ${count}`), 'hex'),
  ]).toString('base64')
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Replaces each value that differs between runs with a constant one: times, secrets, hashes,
 * signatures. The same value has the same replacement throughout, and no secret is written anywhere.
 */
export class StandIns {
  /** When each step began. */
  readonly #steps: number[] = []
  readonly #todayMs = Math.floor(Date.now() / dayMs) * dayMs
  readonly #made = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  /** The visible part of a replaced secret, by that of the real one. */
  readonly #shown = new Map<string, string>()

  /** Begins a step of the story: everything until the next step gets the time of this one. */
  step(atMs: number): void {
    this.#steps.push(atMs)
  }

  /** An answer, or a part of it, as it is recorded. */
  of(value: unknown, field = ''): unknown {
    if (typeof value === 'string') return this.#text(value, field)
    if (Array.isArray(value)) return value.map((one) => this.of(one))
    if (!isObject(value)) return typeof value === 'number' ? (measured[field] ?? value) : value
    // The key first, wherever it is in the response: its visible part depends on it.
    for (const one of Object.values(value)) if (typeof one === 'string') this.#text(one, '')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.of(one, name)]))
  }

  #text(text: string, field: string): string | null {
    // The last use of a key is stored once a minute: whether it is known yet depends on the machine.
    if (field === 'lastUsedAt') return null
    if (field === 'requestId')
      return this.#known(`request ${text}`, 'request', (count) => `sI4xVq0Z-${count}`)
    if (field === 'prefix' || field === 'lastFour') return this.#shown.get(`${field} ${text}`) ?? text
    if (field === 'nextCursor' || field === 'next' || field === 'cursor') return this.#cursor(text)
    return text.replaceAll(volatile, (found, ...rest) => {
      const groups = rest.at(-1) as Readonly<Partial<Record<Kind, string>>>
      const [kind] = Object.entries(groups).find(([, one]) => one !== undefined) ?? []
      return this.#standIn(kind as Kind, found)
    })
  }

  #standIn(kind: Kind, found: string): string {
    switch (kind) {
      case 'instant':
        return this.#instant(found)
      case 'micros':
        return this.#micros(found)
      case 'day':
        return this.#day(found)
      case 'secret':
        return this.#secret(found)
      case 'receiver':
        return 'https://shop.example.com/events'
      case 'signing':
        return this.#known(
          found,
          kind,
          (count) => `whsec_${Buffer.from(`EXAMPLE do not use ${count}`.padEnd(32)).toString('base64')}`,
        )
      case 'event':
        return this.#known(found, kind, (count) => sha(`event ${count}`).slice(0, 16))
      case 'token':
        return this.#known(found, kind, (count) => `EXAMPLE-do-not-use-${String(count).padStart(24, '0')}`)
      case 'signature':
        return this.#known(found, kind, (count) => `0x${sha(`r ${count}`)}${sha(`s ${count}`)}1b`)
      case 'root':
        return this.#root(found)
      case 'noteSignature':
        return this.#known(found, kind, (count) => noteSignature(found, count))
      case 'uuid':
        return this.#known(found, kind, (count) => uuidOf(sha(`id ${count}`)))
      case 'hash':
        return /^0+$/.test(found)
          ? found
          : this.#known(found, kind, (count) => sha(`example ${count}`).slice(0, found.length))
    }
  }

  /** A hash in base64: the same bytes as where it is in hex. */
  #root(found: string): string {
    const hex = this.#standIn('hash', Buffer.from(found, 'base64').toString('hex'))
    return Buffer.from(hex, 'hex').toString('base64')
  }

  #known(value: string, kind: string, make: (count: number) => string): string {
    const known = this.#made.get(value)
    if (known !== undefined) return known
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const made = make(count)
    this.#made.set(value, made)
    return made
  }

  /** The right format, except for its checksum. */
  #secret(found: string): string {
    return this.#known(found, 'secret', (count) => {
      const made = `${found.slice(0, 4)}EXAMPLEdoNotUse${String(count).padStart(21, '0')}`
      this.#shown.set(`prefix ${found.slice(0, 8)}`, made.slice(0, 8))
      this.#shown.set(`lastFour ${found.slice(-4)}`, made.slice(-4))
      return made
    })
  }

  /** The parts of a cursor, if it is one. */
  #cursor(text: string): string {
    if (/^\d+$/.test(text)) return text
    const place = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const [bound, systemId, , , realm] = place
    const isOfFeed = typeof systemId === 'string' && /^\d{17,20}$/.test(systemId)
    const values = isOfFeed
      ? [bound, ...feedPlace, realm]
      : place.map((one) =>
          typeof one === 'number' && String(one).length === 16
            ? Number(this.#micros(String(one)))
            : this.of(one),
        )
    return Buffer.from(JSON.stringify(values)).toString('base64url')
  }

  #instant(text: string): string {
    const digits = /\.(\d+)Z$/.exec(text)?.[1]?.length ?? 0
    const whole = new Date(this.#moment(Date.parse(text))).toISOString().slice(0, 19)
    return digits === 0 ? `${whole}Z` : `${whole}.${fraction.slice(0, digits)}Z`
  }

  #micros(text: string): string {
    return `${this.#moment(Number(text) / 1_000) / 1_000}${fraction}`
  }

  #day(text: string): string {
    const days = (Date.parse(text) - this.#todayMs) / dayMs
    if (!Number.isInteger(days) || Math.abs(days) > daysCap) return text
    return new Date(Math.floor(beginMs / dayMs) * dayMs + days * dayMs).toISOString().slice(0, 10)
  }

  /** The full second that replaces a time of the run, or one derived from it. */
  #moment(realMs: number): number {
    const [firstMs = 0] = this.#steps
    const lastMs = this.#steps.at(-1) ?? 0
    if (realMs > Date.now()) return this.#later(realMs, lastMs)
    // The server started before the first step.
    const step = Math.max(
      this.#steps.findLastIndex((startMs) => startMs <= realMs),
      0,
    )
    if (realMs < firstMs - 10 * minuteMs)
      throw new Error(`${new Date(realMs).toISOString()} is not a time of this run`)
    return beginMs + step * stepMs
  }

  /** This many minutes after the step in which it is first seen. */
  #later(realMs: number, stepStartMs: number): number {
    const minutes = Math.round((realMs - stepStartMs) / minuteMs)
    const at = beginMs + (this.#steps.length - 1) * stepMs + minutes * minuteMs
    return Number(this.#known(`moment ${realMs}`, 'moment', () => String(at)))
  }
}
