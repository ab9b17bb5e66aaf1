import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { recordOnPeople } from '../../src/audit/index.ts'
import { MoverStopped } from '../../src/cells/move/index.ts'
import { commandLine } from '../../src/commands/command.ts'
import { Purge } from '../../src/realms/index.ts'
import { type Guild, makeGuild } from './guild.ts'
import { filledTables, headOf, placeOf } from './realmRows.ts'
import { TwoCells } from './twoCells.ts'

/** Rows of a realm that are in the directory, wherever the realm is. */
let cells: TwoCells
let guild: Guild
let lost: Guild

before(async () => {
  cells = await TwoCells.start()
  const server = await cells.serve(0)
  guild = await makeGuild(cells, server.baseUrl, 'guild')
  lost = await makeGuild(cells, server.baseUrl, 'lost')
  await server.stop()
})
after(() => cells?.stop())

const cellsPage = readFileSync(new URL('../../../docs/operate/cells.md', import.meta.url), 'utf8')
/** The statements of the documentation that put a head back. */
const putBack = /^ {4}begin;\n(?: {4}.*\n)+? {4}commit;$/m.exec(cellsPage)?.[0] ?? ''

const act = (subject: string) =>
  cells.directory.transaction((tx) =>
    recordOnPeople(tx, commandLine, { realm: guild.number, action: 'person.join', subject }),
  )

const actsIn = async (cell: number): Promise<string[]> => {
  const rows = await cells.sql(cell, 'select subject from audit where realm = $1 order by at', [guild.number])
  return rows.map(({ subject }) => subject)
}

describe('acts on people of a realm', () => {
  it('stay in the directory when what the realm left there is deleted, and it can come back', async () => {
    await act('before')
    const carried = await actsIn(0)
    await cells.move('guild', 1)
    await act('after')
    const { code, err } = await cells.run('realm move guild --purge --now')
    assert.equal(code, 0, err)
    assert.deepEqual([await actsIn(0), await actsIn(1)], [['after'], carried])
    await assert.rejects(cells.move('guild', 0, { stopAfter: 'subscribed' }), MoverStopped)
    await cells.move('guild', 0, { giveUp: true })
    assert.deepEqual([await actsIn(0), await actsIn(1)], [['after'], carried])
    await cells.move('guild', 0)
    assert.deepEqual(await actsIn(0), [...carried, 'after'])
    assert.deepEqual(await placeOf(cells, guild.number), [0, null])
  })
})

describe('a realm in another cell than the directory', () => {
  it('can be purged in the directory too, also when it was there once', async () => {
    await cells.run('realm move guild --purge --now')
    await cells.move('guild', 1)
    assert.equal((await cells.run('realm move guild --purge --now')).code, 0)
    const plan = await new Purge(cells.directory, 'guild', { isCopy: true }).plan()
    assert.equal(plan.realm, guild.number)
  })

  it('is not purged while it moves: its replication would stay', async () => {
    await cells.sql(1, `update settings set suspended_at = now(), suspended_reason = 'x'`)
    await assert.rejects(cells.move('guild', 0, { stopAfter: 'subscribed' }), MoverStopped)
    const extra = { DATABASE_URL: cells.serverUrl(1), DATABASE_OWNER_URL: cells.open(1).url }
    const { code, err } = await cells.run('realm purge guild --confirm guild', extra)
    assert.deepEqual([code, /Realm guild is moving to cell 0/.test(err)], [1, true], err)
    assert.ok(await headOf(cells, 1, guild.number))
    await cells.move('guild', 0, { giveUp: true })
  })
})

/** Compares the heads of a cell with the directory, as its processes do before they serve. */
const compare = async (cell: 0 | 1) => {
  const server = await cells.serve(cell)
  await server.stop()
}

describe('a cell that was restored', () => {
  it('keeps a realm whose move was given up after the restored moment', async () => {
    const head = await headOf(cells, 0, lost.number)
    const [before] = await cells.sql(0, 'select place from heads where realm = $1', [lost.number])
    for (let times = 0; times < 2; times++) {
      await assert.rejects(cells.move('lost', 1, { stopAfter: 'copied' }), MoverStopped)
      await cells.move('lost', 1, { giveUp: true })
    }
    await cells.sql(0, 'update heads set place = $2 where realm = $1', [lost.number, before.place])
    await compare(0)
    assert.equal(await headOf(cells, 0, lost.number), head)
  })

  it('loses one that was elsewhere since, until the operator puts it back', async () => {
    const { number: realm } = guild
    const head = await headOf(cells, 1, realm)
    const [{ place }] = await cells.sql(0, 'select place from realms where realm = $1', [realm])
    // As it was when the realm was here before.
    await cells.sql(1, 'update heads set place = 2 where realm = $1', [realm])
    await compare(1)
    assert.equal(await headOf(cells, 1, realm), undefined)
    // docs/operate/cells.md
    await cells.sql(1, putBack.replaceAll(':realm', String(realm)).replaceAll(':place', String(place)))
    await compare(1)
    assert.equal(await headOf(cells, 1, realm), head)
  })
})

describe('a cell that lost the transaction with which a realm left', () => {
  /** As a restored database is, or one that failed over to a standby that was behind. */
  const lose = async () => {
    await cells.sql(
      0,
      `with gone as (delete from departed where realm = $1 returning head)
        insert into heads select (jsonb_populate_record(null::heads, gone.head)).* from gone`,
      [lost.number],
    )
    await compare(0)
    assert.equal(await headOf(cells, 0, lost.number), undefined)
  }

  it('lets the move end, and what is there be deleted', async () => {
    for (const stopAfter of ['landed', undefined] as const) {
      if (stopAfter) await assert.rejects(cells.move('lost', 1, { stopAfter }), MoverStopped)
      else await cells.move('lost', 1)
      await lose()
      await cells.run('realm move lost')
      assert.deepEqual(await placeOf(cells, lost.number), [1, null])
      const { code, err } = await cells.run('realm move lost --purge --now')
      assert.equal(code, 0, err)
      assert.deepEqual(await filledTables(cells, 0, lost.number), [])
      if (!stopAfter) continue
      await cells.move('lost', 0)
      assert.equal((await cells.run('realm move lost --purge --now')).code, 0)
    }
  })
})
