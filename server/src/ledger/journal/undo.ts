import type { RealmScoped } from '../../db/rowSecurity.ts'
import { RefusalError } from '../../errors.ts'
import type { Command, Outcome, Reverse } from '../rules/command.ts'
import { entryTypeOf, isReversible } from '../rules/entryTypes.ts'
import { candidates, type DetailsFilter, spanOf } from './undoStore.ts'

/** Selects entries: those that match all of these. */
export type Filter = DetailsFilter & {
  readonly key?: number | undefined
  readonly fromUs?: bigint | undefined
  readonly toUs?: bigint | undefined
}

type Poster = {
  post(command: Command): Promise<Outcome>
  rehearse(commands: readonly [Command, ...Command[]]): Promise<readonly Outcome[]>
}

export type Undo = {
  readonly filter: Filter
  /** Only entries before this one; all when omitted. */
  readonly before?: bigint | undefined
  /** Creates the command that reverses an entry. */
  readonly commandOf: (seq: bigint) => Reverse
  readonly dry: boolean
}

export type Undone = {
  readonly entries: readonly { readonly seq: bigint; readonly outcome: Outcome }[]
  /** Where to continue; null when all were scanned. */
  readonly next: bigint | null
}

/** Entries reversed, and scanned, by one call. A search by details is more expensive, so it scans fewer. */
const undoneCap = 1_000
const lookedCap = 10_000

/**
 * Reverses many entries, each by itself. An entry that is already reversed stays so: the call can be
 * repeated.
 */
export class Undoing {
  readonly #db: RealmScoped
  readonly #ledger: Poster

  constructor(db: RealmScoped, ledger: Poster) {
    this.#db = db
    this.#ledger = ledger
  }

  async undo(realm: number, { filter, before, commandOf, dry }: Undo): Promise<Undone> {
    const { seqs, next } = await this.#find(realm, filter, before)
    const commands = seqs.map(commandOf)
    const outcomes = dry ? await this.#rehearse(commands) : await this.#post(commands)
    const entries = seqs.flatMap((seq, index) => {
      const outcome = outcomes[index]
      return outcome ? [{ seq, outcome }] : []
    })
    return { entries, next }
  }

  async #find(
    realm: number,
    { reference, actorId, key, fromUs, toUs }: Filter,
    before: bigint | undefined,
  ): Promise<{ readonly seqs: bigint[]; readonly next: bigint | null }> {
    const db = this.#db.within([realm])
    const { after, last } = await spanOf(db, realm, { fromUs: fromUs ?? null, toUs: toUs ?? null })
    const start = before !== undefined && before <= last ? before : last + 1n
    const limit = reference === undefined && actorId === undefined ? lookedCap : undoneCap
    const found = await candidates(db, realm, { before: start, limit, reference, actorId })
    const inSpan = found.filter(({ seq }) => seq > after)
    const meant = inSpan.filter(
      (one) => isReversible(entryTypeOf(one.kind)) && (key === undefined || one.key === key),
    )
    const seqs = meant.slice(0, undoneCap).map(({ seq }) => seq)
    const isWhole = meant.length <= undoneCap && (found.length < limit || inSpan.length < found.length)
    if (isWhole) return { seqs, next: null }
    return { seqs, next: (meant.length > undoneCap ? seqs.at(-1) : found.at(-1)?.seq) ?? null }
  }

  async #rehearse(commands: readonly Reverse[]): Promise<readonly Outcome[]> {
    const [first, ...rest] = commands
    return first ? this.#ledger.rehearse([first, ...rest]) : []
  }

  /**
   * In their order: the lane decides them as they arrive. A command without an outcome is reported as
   * refused.
   */
  #post(commands: readonly Reverse[]): Promise<Outcome[]> {
    return Promise.all(
      commands.map(async (command) => {
        try {
          return await this.#ledger.post(command)
        } catch (error) {
          if (!(error instanceof RefusalError)) throw error
          const { requestId } = command
          return { kind: 'refused', refusal: error.refusal, requestId, replayed: false } as const
        }
      }),
    )
  }
}
