import { type Cell, type Column, recordLines, tableLines } from './table.ts'
import { inColour, type Paint, painted, plain, type Terminal } from './terminal.ts'

/** Output of a command: tables and sentences for people, JSON for programs. */
export class Output {
  readonly json: boolean
  readonly paint: Paint
  readonly #terminal: Terminal

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal
    this.json = json
    this.paint = inColour(terminal.stdout, terminal.env) ? painted : plain
  }

  /** One value: as JSON, or printed by `forPeople`. */
  answer(value: unknown, forPeople: () => void): void {
    if (this.json) this.line(JSON.stringify(value, undefined, this.#terminal.stdout.isTTY ? 2 : 0))
    else forPeople()
  }

  /** One value of a stream: a line of JSON each. */
  each(value: unknown, forPeople: () => void): void {
    if (this.json) this.line(JSON.stringify(value))
    else forPeople()
  }

  table(columns: readonly Column[], rows: readonly (readonly Cell[])[]): void {
    const places = this.#terminal.stdout.isTTY ? this.#terminal.stdout.columns : undefined
    for (const line of tableLines(columns, rows, { paint: this.paint, places })) this.line(line)
  }

  /** Names and values; empty ones are left out. */
  record(pairs: readonly (readonly [string, Cell])[]): void {
    const there = pairs.filter(([, cell]) => cell !== null && cell !== undefined && cell !== '')
    for (const line of recordLines(there, this.paint)) this.line(line)
  }

  line(text: string): void {
    this.#terminal.stdout.write(`${text}\n`)
  }

  /** Notes on stderr, so that programs can read the result from stdout. */
  aside(text: string): void {
    this.#terminal.stderr.write(`${text}\n`)
  }
}

/** A time for people, in the local time zone. */
export function timeText(at: string | null | undefined): string {
  if (!at) return ''
  const time = new Date(at)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}

/** A number for people: `1,234`. */
export const grouped = (count: number | bigint): string => new Intl.NumberFormat('en-GB').format(count)

/** A count with its unit: `1 member`, `2 members`. */
export function counted(count: number | bigint, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 || count === 1n ? one : many}`
}
