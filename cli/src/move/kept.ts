import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { wrongUsage } from '../exits.ts'
import type { Kinds } from './kinds.ts'
import type { OldMember } from './source.ts'

/** A member as stored in the file, in the format of an import. */
export type KeptRow = {
  readonly id: string
  readonly username?: string
  readonly displayName?: string
  readonly wallet?: string
  readonly chain?: string
} & { readonly [balance: `balance:${string}`]: number }

export function rowOf({ id, username, displayName, wallets, balances }: OldMember, kinds: Kinds): KeptRow {
  const points = Object.entries(balances).flatMap(([kind, tokens], index) =>
    tokens > 0 ? [[`balance:${kinds.of(kind, index === 0)}`, tokens] as const] : [],
  )
  return {
    id,
    ...(username ? { username } : {}),
    ...(displayName ? { displayName } : {}),
    ...(wallets.length > 0 ? { wallet: wallets.map(({ address }) => address).join(';') } : {}),
    ...(wallets.some(({ chain }) => chain)
      ? { chain: wallets.map(({ chain }) => chain ?? '').join(';') }
      : {}),
    ...Object.fromEntries(points),
  }
}

/** The points of a row, by point type. */
export const pointsOf = (row: KeptRow): (readonly [string, number])[] =>
  Object.entries(row).flatMap(([name, tokens]) =>
    name.startsWith('balance:') ? [[name.slice('balance:'.length), Number(tokens)] as const] : [],
  )

/** What was read so far, in a file from which a stopped run continues. */
export class MoveFile {
  readonly file: string
  readonly rows: Map<string, KeptRow>

  private constructor(file: string, rows: Map<string, KeptRow>) {
    this.file = file
    this.rows = rows
  }

  static begin(file: string): MoveFile {
    writeFileSync(file, '', { mode: 0o600 })
    return new MoveFile(file, new Map())
  }

  /** A line cut off by a crash is read again. */
  static resume(file: string): MoveFile {
    if (!existsSync(file)) throw wrongUsage(`There is no file ${file} to continue from. Omit --resume.`)
    const text = readFileSync(file, 'utf8')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    if (whole.length < text.length) truncateSync(file, Buffer.byteLength(whole))
    const rows = whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as KeptRow)
    return new MoveFile(file, new Map(rows.map((row) => [row.id, row])))
  }

  add(row: KeptRow): void {
    this.rows.set(row.id, row)
    appendFileSync(this.file, `${JSON.stringify(row)}\n`)
  }

  /** The totals, by point type. */
  totals(): Map<string, { members: number; points: bigint }> {
    const totals = new Map<string, { members: number; points: bigint }>()
    for (const row of this.rows.values())
      for (const [kind, tokens] of pointsOf(row)) {
        const sum = totals.get(kind) ?? { members: 0, points: 0n }
        totals.set(kind, { members: sum.members + 1, points: sum.points + BigInt(tokens) })
      }
    return totals
  }
}
