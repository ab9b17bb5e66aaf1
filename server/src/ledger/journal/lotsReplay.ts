import type { Queryable } from '../../db/session.ts'
import { isDated, type LapseStep } from '../../realms/index.ts'
import { isMembers, issuance } from '../rules/command.ts'
import { dueLots, lotsBy, stepAt } from '../rules/dating.ts'
import { entryTypeOf, entryTypes, numbersWith } from '../rules/entryTypes.ts'
import { addLots, capped, isLots, type Lots, parseLots, printLots, sumOf } from '../rules/lots.ts'
import { moveLots } from '../rules/moveLots.ts'
import { type LinkedEntry, readSomeEntries } from './journalStore.ts'
import { Wrong } from './wrong.ts'

/** The fields of an entry that determine its lots. */
export type LotsRow = LinkedEntry

export type Steps = ReadonlyMap<number, readonly LapseStep[]>

/** What an account has before an entry: its balance, and the entry that left it. */
export type Before = (account: number) => { readonly balance: bigint; readonly seq: bigint } | undefined

const linking = new Set([entryTypes.reversal.number, ...numbersWith('endsHold')])
const lotless = new Set(numbersWith('hasNoLots'))

/**
 * Computes the lots of every entry again. An account whose lots are not known, as its last entries are before
 * the range that is replayed, is not compared, except for what an entry shows by itself.
 */
export class LotsReplay {
  #steps: Steps
  readonly #lots = new Map<string, string | undefined>()
  #linked: ReadonlyMap<bigint, LinkedEntry> = new Map()

  constructor(steps: Steps) {
    this.#steps = steps
  }

  setSteps(steps: Steps): void {
    this.#steps = steps
  }

  /** Reads the entries that a page of entries names. */
  async load(db: Queryable, realm: number, rows: readonly LotsRow[]): Promise<void> {
    if (this.#steps.size === 0) return
    const links = rows.flatMap(({ kind, link, lots }) =>
      link !== null && lots !== null && linking.has(kind) ? [link] : [],
    )
    const wanted = new Set(links)
    const own = rows.filter(({ seq }) => wanted.delete(seq)).map((row) => [row.seq, row] as const)
    const others = wanted.size > 0 ? await readSomeEntries(db, realm, [...wanted]) : []
    this.#linked = new Map([...others, ...own])
  }

  /** Notes what an account has, as stored. */
  set(account: number, point: number, lots: string | null): void {
    if (lots !== null) this.#lots.set(`${account}:${point}`, lots)
  }

  /** Null for an account without an entry since the first rule; undefined where it is not known. */
  textOf(account: number, point: number, lastSeq: bigint): string | null | undefined {
    const known = this.#lots.get(`${account}:${point}`)
    return known === undefined && !this.#isDatedAt(point, lastSeq) ? null : known
  }

  add(row: LotsRow, before: Before): void {
    const wrong = (why: string) => new Wrong(`entry ${row.seq}`, why)
    const { lots: text, point, from_account: from, to_account: to } = row
    if (!this.#isDatedAt(point, row.seq)) {
      if (text !== null) throw wrong('it has lots, but no rule applied to its points')
      return
    }
    if (lotless.has(row.kind)) {
      if (text !== null) throw wrong('it has lots, but pending points have none')
      return
    }
    if (text === null) throw wrong('it has no lots')
    if (!isLots(text)) throw wrong(`${JSON.stringify(text)} are not lots`)
    if (sumOf(parseLots(text)) !== row.amount) throw wrong(`its lots do not add up to ${row.amount}`)
    const [had, has] = [this.#known(row, from, before), this.#known(row, to, before)]
    if (had === undefined) {
      this.#isDue(row, parseLots(text), wrong)
      if (isMembers(to)) this.#put(to, point, has && capped(addLots(has, parseLots(text))))
      return
    }
    const moved = this.#moved(row, had, has ?? [])
    const right = printLots(moved.lots)
    if (right !== text) throw wrong(`its lots are ${text}, ${right} is right`)
    if (row.kind === entryTypes.lapse.number) this.#isWhole(row, had, wrong)
    if (moved.from) this.#put(from, point, moved.from)
    if (moved.to) this.#put(to, point, has && moved.to)
  }

  #moved(row: LotsRow, had: Lots, has: Lots) {
    const { kind, point, from_account: from, to_account: to, amount, at_us: atUs, seq, link } = row
    const steps = this.#stepsAt(point, seq)
    const step = steps.at(-1)
    if (!step) throw new Wrong(`entry ${seq}`, 'no rule applies to it')
    const found = link === null ? undefined : this.#linked.get(link)
    const linked = found && {
      kind: found.kind,
      from: found.from_account,
      amount: found.amount,
      lots: lotsBy(steps, { ...found, seq: link }),
    }
    const type = entryTypeOf(kind)
    // An import names the days.
    const given = type === 'opening' && from === issuance ? parseLots(row.lots ?? '') : undefined
    return moveLots({ kind: type, from, to, amount, atUs, step, had, has, linked, given })
  }

  /** A lapse takes all that is due, and nothing before its day. */
  #isWhole(row: LotsRow, had: Lots, wrong: (why: string) => Wrong): void {
    const due = printLots(this.#dueOf(row, had))
    if (due !== row.lots) throw wrong(`${row.lots} lapsed, due were ${due || 'none'}`)
  }

  #isDue(row: LotsRow, lots: Lots, wrong: (why: string) => Wrong): void {
    if (row.kind !== entryTypes.lapse.number) return
    if (printLots(this.#dueOf(row, lots)) !== row.lots) throw wrong(`${row.lots} lapsed, which was not due`)
  }

  #dueOf({ point, seq, at_us: atUs }: LotsRow, lots: Lots): Lots {
    const step = stepAt(this.#steps.get(point) ?? [], seq)
    return step ? dueLots(step, lots, atUs) : []
  }

  #known({ point, seq }: LotsRow, account: number, before: Before): Lots | undefined {
    if (!isMembers(account)) return []
    const state = before(account)
    if (!state) return []
    const lots = this.textOf(account, point, state.seq)
    if (lots === undefined) return undefined
    return lotsBy(this.#stepsAt(point, seq), { lots, amount: state.balance, seq: state.seq })
  }

  #put(account: number, point: number, lots: Lots | undefined): void {
    this.#lots.set(`${account}:${point}`, lots && printLots(lots))
  }

  /** The steps so far: later ones do not apply to an entry. */
  #stepsAt(point: number, seq: bigint): readonly LapseStep[] {
    return this.#steps.get(point)?.filter(({ fromSeq }) => fromSeq <= seq) ?? []
  }

  #isDatedAt(point: number, seq: bigint): boolean {
    return isDated(this.#stepsAt(point, seq))
  }
}
