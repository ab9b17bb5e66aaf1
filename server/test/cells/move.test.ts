import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from '../../../tests/support/call.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { MoverStopped, steps } from '../../src/cells/move/index.ts'
import { deletedAtOnce } from '../../src/cells/move/tables.ts'
import { type Guild, makeGuild, sending } from './guild.ts'
import { filledTables, headOf, links, placeOf, rowsOfRealm } from './realmRows.ts'
import { TwoCells } from './twoCells.ts'

/** A realm moves between two real PostgreSQL, with all of its rows. */
let cells: TwoCells
let guild: Guild
let stopped: Guild
/** A key that the operator issued in the first cell, with an Idempotency-Key. */
let issued: Answer

const issueOnce = (baseUrl: string) =>
  call('POST', `${baseUrl}/operator/v1/realms/guild/keys`, {
    key: operatorToken,
    body: { name: 'once' },
    headers: { 'idempotency-key': 'no-answer' },
  })

before(async () => {
  cells = await TwoCells.start()
  const server = await cells.serve(0)
  guild = await makeGuild(cells, server.baseUrl, 'guild')
  issued = await issueOnce(server.baseUrl)
  assert.equal(issued.status, 201, issued.text)
  stopped = await makeGuild(cells, server.baseUrl, 'stopped')
  await server.stop()
})
after(() => cells?.stop())

describe('a realm that moves', () => {
  it('is in the other cell with every row, and in no other', async () => {
    const { number: realm } = guild
    const before = await rowsOfRealm(cells, 0, realm)
    const head = await headOf(cells, 0, realm)
    const { code, out, err } = await cells.run('realm move guild --to 1')
    assert.deepEqual([code, out], [0, 'guild: moved\n'], err)
    const after = await rowsOfRealm(cells, 1, realm)
    for (const [table, rows] of Object.entries(before)) assert.equal(after[table], rows, table)
    assert.ok(
      before['holds'] && before['awards'] && before['wallets'] && before['endpoints'] && before['details'],
    )
    assert.deepEqual(await filledTables(cells, 1, stopped.number), [])
    assert.deepEqual([await headOf(cells, 0, realm), await headOf(cells, 1, realm)], [undefined, head])
    assert.deepEqual(await placeOf(cells, realm), [1, null])
    assert.deepEqual(await links(cells), [])
    const [limits] = await cells.sql(1, 'select next_key, rate, burst from realms where realm = $1', [realm])
    assert.deepEqual(limits, { next_key: 4, rate: 500, burst: 900 })
  })

  it('leaves nothing about members and no holds where it was, and its journal for a day', async () => {
    const left = await filledTables(cells, 0, guild.number)
    assert.deepEqual(
      left.filter((table) => deletedAtOnce.includes(table)),
      [],
    )
    assert.ok(left.includes('journal') && left.includes('balances') && !left.includes('holds'))
    const { code, err } = await cells.run('realm move guild --purge')
    assert.deepEqual(
      [code, err.startsWith('Realm guild left cell 0 less than a day ago. Run this')],
      [1, true],
      err,
    )
    const back = await cells.run('realm move guild --to 0')
    assert.deepEqual([back.code, /Cell 0 still has the rows/.test(back.err)], [1, true], back.err)
    assert.deepEqual(await filledTables(cells, 0, guild.number), left)
  })

  it('is used there with the same keys, holds and numbers', async () => {
    const server = await cells.serve(1)
    try {
      const send = sending(server.baseUrl, guild)
      const captured = await send(`POST /holds/${guild.holdId}/capture`, {})
      assert.equal(captured.status, 200, captured.text)
      const granted = await send(`POST /awards/${guild.awardId}/grant`, {})
      assert.equal(granted.json.newBalance, 54, granted.text)
      assert.equal((await send('PATCH /members/7/tokenBalance', { tokens: 1 })).json.newBalance, 41)
      const { json } = await send('GET /members/7')
      assert.deepEqual([json.username, json.tokenBalance], ['ann', 41])
      const again = await issueOnce(server.baseUrl)
      assert.equal(again.headers['idempotent-replayed'], 'true', again.text)
      assert.deepEqual(again.json, { ...issued.json, key: null })
      // Erased after it was carried: it may be in no copy that comes back.
      assert.equal((await send('PATCH /members/9/tokenBalance', { tokens: -50 })).status, 200)
      assert.equal((await send('POST /members/9/erasure')).status, 200)
    } finally {
      await server.stop()
    }
  })

  it('can’t be purged for good in a cell that it has left', async () => {
    await cells.sql(0, 'update settings set suspended_at = now() where realm = $1', [guild.number])
    const { code, err } = await cells.run('realm purge guild --confirm guild')
    assert.deepEqual([code, /^Realm guild (is in|has moved to) cell 1\./.test(err)], [1, true], err)
  })

  it('comes back and leaves again, without what was erased on the way', async () => {
    const { number: realm } = guild
    for (const [from, to] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const purged = await cells.run('realm move guild --purge --now')
      assert.equal(purged.code, 0, purged.err)
      assert.deepEqual(await filledTables(cells, to, realm), [])
      const before = await rowsOfRealm(cells, from, realm)
      await cells.move('guild', to)
      const after = await rowsOfRealm(cells, to, realm)
      for (const [table, rows] of Object.entries(before)) assert.equal(after[table], rows, table)
      const erased = await cells.sql(to, `select from details where realm = $1 and reason like 'for 9%'`, [
        realm,
      ])
      assert.equal(erased.length, 0)
      assert.deepEqual(await placeOf(cells, realm), [to, null])
    }
    const [{ place }] = await cells.sql(1, 'select place from heads where realm = $1', [realm])
    assert.equal(place, 4)
  })
})

describe('a move', () => {
  it('goes on after it was killed behind any step, also when the step was not recorded', async () => {
    const { number: realm } = stopped
    const before = await rowsOfRealm(cells, 0, realm)
    for (const [index, stopAfter] of steps.slice(1, -1).entries()) {
      await assert.rejects(cells.move('stopped', 1, { stopAfter, copyFrom: 1n }), MoverStopped, stopAfter)
      const heads = [await headOf(cells, 0, realm), await headOf(cells, 1, realm)]
      assert.ok(heads.filter(Boolean).length <= 1, `two heads after ${stopAfter}`)
      await cells.sql(0, 'update moves set step = $2 where realm = $1 and ended_at is null', [
        realm,
        steps[index],
      ])
      await assert.rejects(cells.move('stopped', 1, { stopAfter, copyFrom: 1n }), MoverStopped, stopAfter)
    }
    await cells.move('stopped', 1)
    const after = await rowsOfRealm(cells, 1, realm)
    for (const [table, rows] of Object.entries(before)) assert.equal(after[table], rows, table)
    assert.deepEqual(await links(cells), [])
    const [{ count }] = await cells.sql(0, 'select count(*) from moving')
    assert.equal(count, '0')
  })

  it('is refused while another realm moves from or to one of its cells', async () => {
    const holder = await cells.directory.open({})
    try {
      await holder.query({ name: 'hold', text: 'select pg_advisory_lock(1163415382, 1)' })
      await assert.rejects(cells.move('guild', 0), /Another realm moves from or to cell 1 now/)
    } finally {
      await holder.close()
    }
  })

  it('says in one sentence what is wrong', async () => {
    const refused = [
      ['realm move nowhere --to 1', 'There is no realm nowhere.'],
      ['realm move guild --to 1', 'Realm guild is in cell 1 already.'],
      ['realm move guild --to 7', 'There is no cell 7. Add it first: cell add 7'],
      ['realm move guild --to x', '--to is x; it must be the number of a cell, such as 1.'],
      ['realm move guild', 'Realm guild is in cell 1. Name its new cell with --to.'],
      ['realm move guild --give-up', 'Realm guild is not moving: it is in cell 1.'],
    ] as const
    for (const [line, sentence] of refused) {
      const { code, err } = await cells.run(line)
      assert.deepEqual([code, err.trim()], [1, sentence])
    }
  })
})

describe('a realm that was purged for good', () => {
  it('leaves a copy in another cell, which can still be deleted', async () => {
    const { number: realm } = guild
    assert.equal((await cells.run('realm move guild --purge --now')).code, 0)
    await cells.move('guild', 0)
    await cells.sql(0, 'update settings set suspended_at = now() where realm = $1', [realm])
    const purging = cells.run('realm purge guild --confirm guild')
    // Without the minute that a purge waits for requests of before.
    const sooner = `update realms set purge_began_at = purge_began_at - interval '1 minute'
      where realm = $1 and purge_began_at is not null returning realm`
    while ((await cells.sql(0, sooner, [realm])).length === 0) await sleep(50)
    const { code, err } = await purging
    assert.equal(code, 0, err)
    assert.ok((await filledTables(cells, 1, realm)).includes('journal'))
    const copies = await cells.run('realm move guild --purge --now')
    assert.equal(copies.code, 0, copies.err)
    assert.deepEqual(await filledTables(cells, 1, realm), [])
  })
})
