import { type Cell, type Column, recordLines, tableLines } from './table.ts'
import { inColour, type Paint, painted, plain, type Terminal } from './terminal.ts'

/** What a command says: to people in tables and sentences, to programs in JSON. */
export class Output {
  readonly json: boolean
  readonly paint: Paint
  readonly #terminal: Terminal

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.json = json
    this.paint = inColour(terminal.stdout, terminal.env) ? painted : plain
  }

  /** One value: as JSON, or told by what follows. */
  answer(value: unknown, forPeople: () => void): void {
    if (this.json) this.line(JSON.stringify(value, undefined, this.#terminal.stdout.isTTY ? 2 : 0))
    else forPeople()
  }

  /** One of a stream of values: a line of JSON each. */
  each(value: unknown, forPeople: () => void): void {
    if (this.json) this.line(JSON.stringify(value))
    else forPeople()
  }

  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    const places = this.#terminal.stdout.isTTY ? this.#terminal.stdout.columns : undefined
    for (const line of tableLines(columns, rows, { paint: this.paint, places })) this.line(line)
  }

  /** Names and values; those that are not there are left out. */
  record(pairs: readonly (readonly [string, Cell])[]): void {
    const there = pairs.filter(([, cell]) => cell !== null && cell !== undefined && cell !== '')
    for (const line of recordLines(there, this.paint)) this.line(line)
  }

  line(text: string): void {
    this.#terminal.stdout.write(`${text}\n`)
  }

  /** Beside the answer: it does not disturb who reads that. */
  aside(text: string): void {
    this.#terminal.stderr.write(`${text}\n`)
  }
}

/** A time as a person reads it, in the terminal's own zone. */
export function timeText(at: string | null | undefined): string {
  if (!at) return ''
  const time = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** A number as a person reads it: `1,234`. */
export const grouped = (count: number | bigint): string => new Intl.NumberFormat('en-GB').format(count)

/** How many of what: `1 member`, `2 members`. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 || count === 1n ? one : many}`
}
