import type { Database } from '../../db/database.ts'
import { writeTransaction } from '../../db/rowSecurity.ts'
import { addNotices } from '../../notices/index.ts'
import type { CheckpointRealm, Checkpoints } from '../checkpoints/index.ts'
import { listUnsigned, markSigned } from './checkpointStore.ts'

/** Signs the journals of realms with new entries and a webhook that sends checkpoints. */
export class CheckpointNotices {
  readonly #db: Database
  readonly #checkpoints: Pick<Checkpoints, 'isOn' | 'of'>
  /** The last realm of the part before. */
  #after = 0

  constructor(db: Database, checkpoints: Pick<Checkpoints, 'isOn' | 'of'>) {
    this.#db = db
    this.#checkpoints = checkpoints
  }

  /** The next realms, `most` or less; returns how many. */
  async next(most: number): Promise<number> {
    if (!this.#checkpoints.isOn) return 0
    const realms = await listUnsigned(this.#db, this.#after, most)
    this.#after = realms.length < most ? 0 : (realms.at(-1)?.number ?? 0)
    for (const realm of realms) await this.#sign(realm)
    return realms.length
  }

  /** Entries of the last seconds are not signed yet. */
  async #sign(realm: CheckpointRealm): Promise<void> {
    const { seq, hash, origin, signedAt, note } = await this.#checkpoints.of(realm)
    await writeTransaction(this.#db, [realm.number], async (tx) => {
      if (!(await markSigned(tx, realm.number, seq))) return
      const checkpoint = { origin, seq: String(seq), hash, signedAt, note }
      await addNotices(tx, realm.number, [{ type: 'checkpoint.signed', data: { checkpoint } }])
    })
  }
}
