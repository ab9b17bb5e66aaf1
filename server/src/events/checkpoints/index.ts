import type { Database } from '../../db/database.ts'
import { bind } from '../../db/rowSecurity.ts'
import { RefusalError, refuse } from '../../errors.ts'
import { originHash } from '../../realms/index.ts'
import { type CheckpointKeys, verifierText } from './keys.ts'
import { originOf, signNote, textOf } from './note.ts'
import { type EntryAt, readEntry, writeMark } from './store.ts'

export { type CheckpointKeys, checkpointKeysIn, createCheckpointKey } from './keys.ts'

/** A younger entry is not signed: an asynchronous standby may still lack it. */
const behindMs = 10_000
/** A note is returned again for this long, so that reading it costs the database and the CPU little. */
const freshForMs = 10_000
/** A standby that does not confirm is not asked again for this long: the COMMIT would only wait too. */
const failedForMs = 5_000
/** Realms whose note is cached: the oldest are dropped. */
const keptCap = 10_000

export type SignedCheckpoint = EntryAt & {
  readonly origin: string
  readonly signedAt: string
  readonly note: string
}

export type PublishedKey = {
  readonly name: string
  readonly id: string
  readonly key: string
  readonly status: 'signing' | 'retired'
}

export type CheckpointRealm = { readonly number: number; readonly id: string }

type Kept = { readonly checkpoint: Promise<SignedCheckpoint>; readonly untilMs: number }

export type CheckpointsOptions = {
  readonly db: Pick<Database, 'transaction' | 'onFailover'>
  readonly keys: CheckpointKeys | undefined
  readonly behindMs?: number
  readonly nowMs?: () => number
}

/** Signs what a realm’s journal says, on request. */
export class Checkpoints {
  readonly #db: CheckpointsOptions['db']
  readonly #keys: CheckpointKeys | undefined
  readonly #behindUs: bigint
  readonly #nowMs: () => number
  readonly #kept = new Map<number, Kept>()
  /** Until then no realm is signed: each attempt would leave a session that waits for the standby. */
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor({
    db,
    keys,
    behindMs: behind = behindMs,
    nowMs = () => performance.now(),
  }: CheckpointsOptions) {
    this.#db = db
    this.#keys = keys
    this.#behindUs = BigInt(behind) * 1000n
    this.#nowMs = nowMs
    // Without a synchronous standby a new primary may lack what was signed.
    db.onFailover(() => this.#kept.clear())
  }

  get isOn(): boolean {
    return this.#keys !== undefined
  }

  /** The key that signs, then older ones. */
  keys(): PublishedKey[] {
    const verifiers = this.#keys?.verifiers ?? []
    return verifiers.map((one, nth) => ({
      name: one.name,
      id: one.id,
      key: verifierText(one),
      status: nth === 0 ? 'signing' : 'retired',
    }))
  }

  /** The realm’s current checkpoint: signed now, or in the last ten seconds. */
  async of(realm: CheckpointRealm): Promise<SignedCheckpoint> {
    const keys = this.#keys
    if (!keys) throw notSetUp()
    const kept = this.#kept.get(realm.number)
    if (kept && this.#nowMs() < kept.untilMs) return kept.checkpoint
    if (this.#nowMs() < this.#pausedUntilMs) throw unconfirmed(undefined)
    const checkpoint = this.#sign(realm, keys)
    this.#keep(realm.number, { checkpoint, untilMs: this.#nowMs() + freshForMs })
    return checkpoint
  }

  async #sign(realm: CheckpointRealm, { signer }: CheckpointKeys): Promise<SignedCheckpoint> {
    const entry = await this.#confirmed(realm)
    const signedAt = new Date()
    const facts = { ...entry, origin: originOf(signer.name, realm.id), signedAt }
    return { ...facts, signedAt: signedAt.toISOString(), note: signNote(textOf(facts), signer) }
  }

  /**
   * An entry that no failover loses: read and confirmed in one transaction, as another session may lead to
   * another primary.
   */
  async #confirmed({ number, id }: CheckpointRealm): Promise<EntryAt> {
    const work = this.#db.transaction(async (tx) => {
      await bind(tx, [number])
      const entry = await readEntry(tx, number, this.#behindUs)
      await writeMark(tx)
      return entry ?? { seq: 0n, hash: originHash(id) }
    })
    return work.catch((error: unknown) => {
      if (!(error instanceof RefusalError) || error.refusal.code !== 'outcome_unknown') throw error
      this.#pausedUntilMs = this.#nowMs() + failedForMs
      throw unconfirmed(error)
    })
  }

  #keep(realm: number, kept: Kept): void {
    this.#kept.delete(realm)
    this.#kept.set(realm, kept)
    kept.checkpoint.catch(() => {
      if (this.#kept.get(realm) === kept)
        this.#kept.set(realm, { ...kept, untilMs: this.#nowMs() + failedForMs })
    })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > keptCap && oldest !== undefined) this.#kept.delete(oldest)
  }
}

const notSetUp = (): RefusalError =>
  refuse(
    'not_set_up',
    'This server signs no checkpoints. The operator can turn them on with the setting CHECKPOINT_KEY.',
  )

const unconfirmed = (cause: unknown): RefusalError =>
  new RefusalError(
    {
      code: 'unavailable',
      detail: 'The database or its standby did not confirm the entry, so it was not signed. Try again.',
      headers: { 'retry-after': String(failedForMs / 1_000) },
    },
    cause,
  )
