import assert from 'node:assert/strict'
import type { ServerProcess } from '../../../tests/support/process.ts'
import { Directory, Reconciliation } from '../../src/cells/index.ts'
import { MoverStopped, type Step } from '../../src/cells/move/index.ts'
import { openDatabase } from '../../src/db/database.ts'
import { makeGuild } from './guild.ts'
import { filledTables, headOf, links, placeOf } from './realmRows.ts'
import { TwoCells } from './twoCells.ts'

/**
 * A realm that moves from cell 0 to cell 1, while a database loses its last transactions: as in a failover to
 * a standby that was behind, or a restore. They are undone by hand.
 */
export class Losing {
  readonly cells: TwoCells
  readonly #server: ServerProcess
  #nth = 0
  realm = 0
  id = ''
  head: string | undefined

  private constructor(cells: TwoCells, server: ServerProcess) {
    this.cells = cells
    this.#server = server
  }

  static async start(): Promise<Losing> {
    const cells = await TwoCells.start()
    return new Losing(cells, await cells.serve(0))
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    await this.cells.stop()
  }

  /** A realm for the next test. */
  async another(): Promise<void> {
    this.id = `guild-${++this.#nth}`
    this.realm = (await makeGuild(this.cells, this.#server.baseUrl, this.id)).number
    this.head = await headOf(this.cells, 0, this.realm)
  }

  sql(cell: number, text: string, values: readonly unknown[] = []) {
    return this.cells.sql(cell, text, [this.realm, ...values])
  }

  /** As if the mover had been killed behind this step. */
  stopped(stopAfter: Step): Promise<void> {
    return assert.rejects(this.cells.move(this.id, 1, { stopAfter }), MoverStopped)
  }

  move(options: { giveUp?: boolean } = {}): Promise<void> {
    return this.cells.move(this.id, 1, options)
  }

  /** The directory has an earlier step of the move. */
  async backTo(step: Step): Promise<void> {
    await this.sql(0, 'update moves set step = $2 where realm = $1 and ended_at is null', [step])
  }

  /** The directory does not know what the realm left with. */
  async forgetHanded(): Promise<void> {
    await this.sql(0, 'update moves set seq = null, hash = null where realm = $1')
  }

  /** The source lost the transaction with which the realm was paused. */
  async losePause(): Promise<void> {
    const lose = `with gone as (delete from departed where realm = $1 returning head)
      insert into heads select (jsonb_populate_record(null::heads, gone.head)).* from gone`
    await this.sql(0, lose)
    assert.equal(await headOf(this.cells, 0, this.realm), this.head)
  }

  /** The target lost the transaction with which the realm landed. */
  async loseLanding(): Promise<void> {
    await this.sql(1, 'delete from heads where realm = $1')
    await this.sql(1, `update arrivals set state = 'ready' where realm = $1 and state = 'landed'`)
  }

  /** The target lost an entry too, which no trigger lets anybody delete. */
  async loseEntry(): Promise<void> {
    const lose = `with off as (select set_config('session_replication_role', 'replica', false))
      delete from journal where realm = $1 and (select count(*) from off) = 1
        and seq = (select max(seq) from journal where realm = $1)`
    await this.sql(1, lose)
  }

  /** What the processes of a cell do before they serve, after a failover. */
  async compare(cell: 0 | 1): Promise<void> {
    const [direct, db] = [openDatabase(this.cells.serverUrl(cell)), openDatabase(this.cells.serverUrl(0))]
    const directory = await Directory.open({ own: direct, db: cell === 0 ? direct : db })
    const onFault = (error: unknown) => assert.fail(String(error))
    const reconciliation = new Reconciliation({ directory, direct, onDropped: () => {}, onFault })
    await reconciliation.run()
    assert.equal(reconciliation.isDone, true)
    reconciliation.close()
    directory.close()
    await direct.close()
    await db.close()
  }

  /** Its head in both cells. */
  async heads(): Promise<(string | undefined)[]> {
    return [await headOf(this.cells, 0, this.realm), await headOf(this.cells, 1, this.realm)]
  }

  /** The realm is in cell 1 alone, and what it left can be deleted. */
  async isMoved(): Promise<void> {
    const { cells, realm, id, head } = this
    assert.deepEqual(await this.heads(), [undefined, head])
    assert.deepEqual([await placeOf(cells, realm), await links(cells)], [[1, null], []])
    const { code, err } = await cells.run(`realm move ${id} --purge --now`)
    assert.equal(code, 0, err)
    assert.deepEqual(await filledTables(cells, 0, realm), [])
  }

  /** The realm is in cell 0 as before, and stays there when the cell compares its heads. */
  async isBack(): Promise<void> {
    const { cells, realm, head } = this
    await this.compare(0)
    assert.deepEqual(await this.heads(), [head, undefined])
    assert.deepEqual([await placeOf(cells, realm), await links(cells)], [[0, null], []])
    assert.deepEqual(await filledTables(cells, 1, realm), [])
  }
}
