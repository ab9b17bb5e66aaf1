import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { land, pause } from '../../src/cells/move/handover.ts'
import { MoverStopped, steps } from '../../src/cells/move/index.ts'
import { arriving, awaitStandbys, type Mover, openSession } from '../../src/cells/move/link.ts'
import { isPausedAt } from '../../src/cells/move/steps.ts'
import { type Guild, makeGuild, sending } from './guild.ts'
import { filledTables, headOf, links, placeOf, rowsOfRealm } from './realmRows.ts'
import { quiet, TwoCells } from './twoCells.ts'

/** A move that is given up, and a mover that goes on after another has ended its move. */
let cells: TwoCells
let guild: Guild

before(async () => {
  cells = await TwoCells.start()
  const server = await cells.serve(0)
  guild = await makeGuild(cells, server.baseUrl, 'guild')
  await server.stop()
})
after(() => cells?.stop())

const giveUp = { giveUp: true } as const

/** A mover as it was before it was stopped, without its locks. */
async function staleMover(place: number): Promise<Mover & { close(): Promise<void> }> {
  const [source, target] = [cells.open(0), cells.open(1)]
  const sessions = await Promise.all([cells.directory, source.db, target.db].map(openSession))
  const [directory, from, to] = sessions as [Mover['directory'], Mover['source'], Mover['target']]
  return {
    realm: guild.number,
    id: 'guild',
    place,
    from: 0,
    to: 1,
    options: quiet,
    directory,
    source: from,
    target: to,
    targetDb: target.db,
    sourceUrl: source.url,
    check: async () => {},
    async close() {
      for (const session of sessions) await session.close()
    },
  }
}

/** A standby that is connected, and never reports that it has anything. */
async function startDeafStandby(cell: number, name = 'deaf'): Promise<pg.Client> {
  const [{ lsn }] = await cells.sql(cell, 'select pg_current_wal_flush_lsn()::text as lsn')
  const { standby, started } = await connectStandby({ cell, name, lsn })
  // It has no end; if it fails, it fails at once.
  const ended = started.then(() => assert.fail('the replication ended'))
  await Promise.race([untilSeen(cell, name, 'streaming'), ended])
  started.catch(() => {})
  return standby
}

/** A standby that reads nothing, and has not caught up with what was written before it connected. */
async function startLateStandby(cell: number): Promise<pg.Client> {
  const [{ lsn }] = await cells.sql(cell, 'select pg_current_wal_flush_lsn()::text as lsn')
  const much = `select pg_logical_emit_message(true, 'much', repeat('x', 1000000))
    from generate_series(1, 40)`
  await cells.sql(cell, much)
  const { standby, started } = await connectStandby({ cell, name: 'late', lsn })
  const { stream } = (standby as unknown as { connection: { stream: Socket } }).connection
  stream.pause()
  started.catch(() => {})
  await untilSeen(cell, 'late', 'catchup')
  return standby
}

type Standby = { readonly cell: number; readonly name: string; readonly lsn: string }

async function connectStandby({ cell, name, lsn }: Standby) {
  const connectionString = `${cells.superuserUrl(cell)}?replication=true&application_name=${name}`
  const standby = new pg.Client({ connectionString })
  standby.on('error', () => {})
  await standby.connect()
  return { standby, started: standby.query(`START_REPLICATION PHYSICAL ${lsn}`) }
}

async function untilSeen(cell: number, name: string, state: string): Promise<void> {
  const seen = 'select from pg_stat_replication where application_name = $1 and state = $2'
  while ((await cells.sql(cell, seen, [name, state])).length === 0) await sleep(50)
}

const lastPlace = async (): Promise<number> =>
  (await cells.sql(0, 'select max(place) as place from moves where realm = $1', [guild.number]))[0].place

describe('a move that is given up', () => {
  it('leaves the realm where it was as it was, whatever the step before', async () => {
    const { number: realm } = guild
    const before = await rowsOfRealm(cells, 0, realm)
    const head = await headOf(cells, 0, realm)
    const kept = `select to_jsonb(h) - 'place' - 'config_version' as head from heads h where realm = $1`
    const versions = 'select config_version from heads where realm = $1'
    const [whole] = await cells.sql(0, kept, [realm])
    for (const stopAfter of steps.slice(1, steps.indexOf('landed'))) {
      const [old] = await cells.sql(0, versions, [realm])
      await assert.rejects(cells.move('guild', 1, { stopAfter, copyFrom: 1n }), MoverStopped)
      await cells.move('guild', 1, giveUp)
      assert.deepEqual([await headOf(cells, 0, realm), await headOf(cells, 1, realm)], [head, undefined])
      assert.deepEqual((await cells.sql(0, kept, [realm]))[0], whole)
      // A batch that was decided before the pause must not match the head again.
      const [renewed] = await cells.sql(0, versions, [realm])
      assert.equal(renewed.config_version === old.config_version, !isPausedAt(stopAfter), stopAfter)
      assert.deepEqual([await filledTables(cells, 1, realm), await links(cells)], [[], []], stopAfter)
      assert.deepEqual(await placeOf(cells, realm), [0, null])
      assert.deepEqual(await rowsOfRealm(cells, 0, realm), before, stopAfter)
    }
    const [{ count }] = await cells.sql(0, 'select count(*) from departed')
    assert.equal(count, '0')
    const server = await cells.serve(0)
    try {
      const answer = await sending(server.baseUrl, guild)('PATCH /members/7/tokenBalance', { tokens: 1 })
      assert.equal(answer.status, 200, answer.text)
    } finally {
      await server.stop()
    }
  })

  it('can’t be continued by a mover that was stopped meanwhile', async () => {
    const { number: realm } = guild
    const head = await headOf(cells, 0, realm)
    await assert.rejects(cells.move('guild', 1, { stopAfter: 'ready' }), MoverStopped)
    const stale = await staleMover(await lastPlace())
    try {
      await cells.move('guild', 1, giveUp)
      await assert.rejects(pause(stale), /has ended/)
      await assert.rejects(
        arriving(stale, async () => {}),
        /has ended: it is cancelled/,
      )
      assert.equal(await headOf(cells, 0, realm), head)
      // Also not when the other mover has paused the realm for a later move.
      await assert.rejects(cells.move('guild', 1, { stopAfter: 'drained' }), MoverStopped)
      await assert.rejects(land(stale), /does not know of this move/)
      assert.equal(await headOf(cells, 1, realm), undefined)
      await cells.move('guild', 1, giveUp)
      assert.equal(await headOf(cells, 0, realm), head)
    } finally {
      await stale.close()
    }
  })

  it('is given up by the next mover if giving up was interrupted', async () => {
    const head = await headOf(cells, 0, guild.number)
    await assert.rejects(cells.move('guild', 1, { stopAfter: 'drained' }), MoverStopped)
    const cancel = `update arrivals set state = 'cancelled' where realm = $1 and state = 'ready'`
    await cells.sql(1, cancel, [guild.number])
    await assert.rejects(cells.move('guild', 1), /The move was given up: realm guild stays in cell 0/)
    assert.deepEqual([await headOf(cells, 0, guild.number), await links(cells)], [head, []])
  })

  it('does not end before every standby of its cell has its head', async () => {
    await assert.rejects(cells.move('guild', 1, { stopAfter: 'ready' }), MoverStopped)
    const standby = await startDeafStandby(0)
    await assert.rejects(cells.move('guild', 1, giveUp), /A standby of cell 0 is 10 s behind/)
    const [{ place }] = await cells.sql(0, 'select place from realms where realm = $1', [guild.number])
    assert.ok(place < (await lastPlace()))
    await standby.end()
    await cells.move('guild', 1, giveUp)
    assert.deepEqual(await placeOf(cells, guild.number), [0, null])
  })

  it('waits for a standby that catches up, and not for copies that backups make', async () => {
    const session = await openSession(cells.directory)
    const standbys: pg.Client[] = []
    try {
      for (const name of ['pg_receivewal', 'pg_basebackup']) standbys.push(await startDeafStandby(0, name))
      assert.equal(await awaitStandbys(session, 200), true)
      standbys.push(await startLateStandby(0))
      assert.equal(await awaitStandbys(session, 200), false)
    } finally {
      for (const standby of standbys) await standby.end()
      await session.close()
    }
  })

  it('has its subscription refused without the password in the log of PostgreSQL', async () => {
    const [from, to] = [cells.open(0).url, cells.open(1).url]
    const { code, err } = await cells.run('realm move guild --to 1', {
      CELL_URLS: `0=${from}?unknown=1,1=${to}`,
    })
    assert.deepEqual([code, err.includes('invalid connection string')], [1, true], err)
    const [{ log }] = await cells.sql(1, 'select pg_read_file(pg_current_logfile()) as log')
    assert.match(log, /ERROR: +invalid connection string/)
    assert.equal(log.includes(new URL(from).password), false)
    await cells.move('guild', 1, giveUp)
  })

  it('is not given up when it has landed', async () => {
    const { number: realm } = guild
    await assert.rejects(cells.move('guild', 1, { stopAfter: 'drained' }), MoverStopped)
    const stale = await staleMover(await lastPlace())
    await land(stale)
    await stale.close()
    await assert.rejects(cells.move('guild', 1, giveUp), /Realm guild has landed in cell 1/)
    assert.equal(await headOf(cells, 0, realm), undefined)
    await cells.move('guild', 1)
    assert.deepEqual(await placeOf(cells, realm), [1, null])
  })
})

describe('cell list', () => {
  it('warns of a slot that no move uses', async () => {
    const name = `move_${guild.number}_98`
    const quietly = await cells.run('cell list')
    assert.deepEqual([quietly.code, quietly.err], [0, ''])
    await cells.sql(1, `select pg_create_logical_replication_slot('${name}', 'pgoutput')`)
    const { code, err } = await cells.run('cell list')
    const drop = `select pg_drop_replication_slot('${name}')`
    assert.deepEqual([code, err.startsWith('cell 1: '), err.includes(drop)], [0, true, true], err)
    await cells.sql(1, drop)
  })
})

describe('what a realm left behind', () => {
  it('is not deleted while something replicates it', async () => {
    const { number: realm } = guild
    const name = `move_${realm}_99`
    const left = await filledTables(cells, 0, realm)
    assert.ok(left.includes('journal'))
    const refused = async (what: string) => {
      const { code, err } = await cells.run('realm move guild --purge --now')
      const sentence = `still replicated (${what} ${name}). Nothing was deleted.`
      assert.deepEqual([code, err.includes(sentence)], [1, true], err)
      assert.deepEqual(await filledTables(cells, 0, realm), left)
    }
    await cells.sql(0, `create publication ${name} for table points where (realm = ${realm})`)
    await refused('publication')
    await cells.sql(0, `drop publication ${name}`)
    await cells.sql(0, `select pg_create_logical_replication_slot('${name}', 'pgoutput')`)
    await refused('slot')
    await cells.sql(0, `select pg_drop_replication_slot('${name}')`)
    const nowhere = `connection 'dbname=none' publication ${name} with (connect = false)`
    await cells.sql(1, `create subscription ${name} ${nowhere}`)
    await refused('subscription')
    await cells.sql(1, `alter subscription ${name} set (slot_name = none)`)
    await cells.sql(1, `drop subscription ${name}`)
  })

  it('is not deleted while the directory or the other cell’s head does not confirm the move', async () => {
    const { number: realm } = guild
    const place = 'update realms set cell = $2 where realm = $1'
    const seq = 'update heads set seq = seq + $2 where realm = $1'
    await cells.sql(1, seq, [realm, -1])
    const lacking = await cells.run('realm move guild --purge --now')
    assert.deepEqual([lacking.code, /Cell 1 lacks entries/.test(lacking.err)], [1, true], lacking.err)
    await cells.sql(1, seq, [realm, 1])
    await cells.sql(0, place, [realm, 0])
    assert.equal((await cells.run('realm move guild --purge --now')).out.includes('no rows are left'), true)
    assert.ok((await filledTables(cells, 0, realm)).includes('journal'))
    await cells.sql(0, place, [realm, 1])
    assert.equal((await cells.run('realm move guild --purge --now')).code, 0)
    assert.deepEqual(await filledTables(cells, 0, realm), [])
  })
})
