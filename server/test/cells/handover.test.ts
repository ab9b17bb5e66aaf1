import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { ServerProcess } from '../../../tests/support/process.ts'
import { MoverStopped } from '../../src/cells/move/index.ts'
import { release } from '../../src/config/release.ts'
import { migrate } from '../../src/db/migrate.ts'
import { type Guild, makeGuild, sending } from './guild.ts'
import { headOf, placeOf, rowsOfRealm } from './realmRows.ts'
import { TwoCells } from './twoCells.ts'

/** What is written while a realm moves. */
let cells: TwoCells
let server: ServerProcess
let busy: Guild
let open: Guild

before(async () => {
  cells = await TwoCells.start()
  server = await cells.serve(0)
  busy = await makeGuild(cells, server.baseUrl, 'busy')
  open = await makeGuild(cells, server.baseUrl, 'open')
})
after(async () => {
  await server?.stop()
  await cells?.stop()
})

/** A session of the server's role in cell 0, in a transaction. */
async function transaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: cells.serverUrl(0) })
  await client.connect()
  await client.query('set search_path = exchequer')
  await client.query('begin')
  return client
}

const rename = (realm: number, name: string) =>
  `update members set display_name = '${name}' where realm = ${realm} and id = 7`
const nameIn = async (cell: number, realm: number): Promise<string> =>
  (await cells.sql(cell, 'select display_name from members where realm = $1 and id = 7', [realm]))[0]
    .display_name

describe('entries that are written while the realm moves', () => {
  it('are all in the other cell, once each, if they were acknowledged', async () => {
    const send = sending(server.baseUrl, busy)
    const acknowledged = new Set<string>()
    let isOver = false
    const client = async () => {
      while (!isOver) {
        const { status, json } = await send('PATCH /members/8/tokenBalance', { tokens: 1 })
        if (status === 200) acknowledged.add(json.transactionId)
        else await sleep(20)
      }
    }
    const clients = [client(), client(), client(), client()]
    await sleep(300)
    const before = acknowledged.size
    await cells.move('busy', 1)
    isOver = true
    await Promise.all(clients)
    assert.ok(acknowledged.size > before + 20, `${before} before, ${acknowledged.size} in all`)
    const rows = await cells.sql(1, 'select seq from journal where realm = $1', [busy.number])
    const there = new Set(rows.map(({ seq }) => String(seq)))
    assert.deepEqual(
      [...acknowledged].filter((id) => !there.has(id)),
      [],
    )
    const [{ balance }] = await cells.sql(
      1,
      `select balance from balances b join members m using (realm, account)
        where b.realm = $1 and m.id = 8 and b.point = 1`,
      [busy.number],
    )
    assert.equal(Number(balance), 50 + acknowledged.size)
    const late = await send('PATCH /members/8/tokenBalance', { tokens: 1 })
    assert.equal(late.status, 503, late.text)
  })
})

describe('a transaction that is open across the pause', () => {
  it('is waited for when it has bound the realm for a write, and its rows move', async () => {
    const { number: realm } = open
    await assert.rejects(cells.move('open', 1, { stopAfter: 'ready' }), MoverStopped)
    const writer = await transaction()
    await writer.query(`select bind_for_write('{${realm}}')`)
    await writer.query(rename(realm, 'bound'))
    const moved = cells.move('open', 1, { stopAfter: 'drained' })
    await sleep(500)
    assert.ok(await headOf(cells, 0, realm), 'paused before the write ended')
    await writer.query('commit')
    await writer.end()
    await assert.rejects(moved, MoverStopped)
    assert.equal(await nameIn(1, realm), 'bound')
    const late = await transaction()
    await assert.rejects(late.query(`select bind_for_write('{${realm}}')`), { code: 'EX002' })
    await late.end()
    await cells.move('open', 1, { giveUp: true })
  })

  it('is waited for when it has not, and its rows move', async () => {
    const { number: realm } = open
    await assert.rejects(cells.move('open', 1, { stopAfter: 'ready' }), MoverStopped)
    const writer = await transaction()
    await writer.query(`select set_config('exchequer.realms', '{${realm}}', true)`)
    await writer.query(rename(realm, 'unbound'))
    const moved = cells.move('open', 1, { stopAfter: 'drained' })
    while (await headOf(cells, 0, realm)) await sleep(20)
    await sleep(300)
    await writer.query('commit')
    await writer.end()
    await assert.rejects(moved, MoverStopped)
    assert.equal(await nameIn(1, realm), 'unbound')
    await cells.move('open', 1, { giveUp: true })
  })

  it('ends the move when it does not end: the realm stays where it was', async () => {
    const { number: realm } = open
    const head = await headOf(cells, 0, realm)
    await assert.rejects(cells.move('open', 1, { stopAfter: 'ready' }), MoverStopped)
    const writer = await transaction()
    await writer.query(`select set_config('exchequer.realms', '{${realm}}', true)`)
    await writer.query(rename(realm, 'late'))
    await assert.rejects(cells.move('open', 1), /did not end within 5 s\. The move was given up/)
    assert.deepEqual([await headOf(cells, 0, realm), await headOf(cells, 1, realm)], [head, undefined])
    assert.deepEqual(await placeOf(cells, realm), [0, null])
    await writer.query('rollback')
    await writer.end()
    const answer = await sending(server.baseUrl, open)('PATCH /members/8/tokenBalance', { tokens: 1 })
    assert.equal(answer.status, 200, answer.text)
  })
})

describe('while a realm moves', () => {
  it('no migration runs in its cells', async () => {
    await assert.rejects(cells.move('open', 1, { stopAfter: 'subscribed' }), MoverStopped)
    for (const cell of [0, 1]) {
      const { url } = cells.open(cell)
      // As if one were missing.
      const [last] = await cells.sql(
        cell,
        'delete from migrations where number = (select max(number) from migrations) returning *',
      )
      try {
        await assert.rejects(
          migrate({ ownerUrl: url, serverUrl: url, release }),
          /A realm is moving from or to/,
        )
      } finally {
        const names = Object.keys(last)
        const values = names.map((_name, index) => `$${index + 1}`)
        await cells.sql(
          cell,
          `insert into migrations (${names.join()}) values (${values.join()})`,
          Object.values(last),
        )
      }
    }
    await cells.move('open', 1, { giveUp: true })
  })

  it('details that were copied before the replication can’t be erased, and others can', async () => {
    const { number: realm } = open
    const send = sending(server.baseUrl, open)
    await assert.rejects(cells.move('open', 1, { stopAfter: 'subscribed', copyFrom: 1n }), MoverStopped)
    await send('PATCH /members/9/tokenBalance', { tokens: -50 })
    const refused = await send('POST /members/9/erasure')
    assert.equal(refused.status, 503, refused.text)
    assert.equal((await send('PATCH /members/10/tokenBalance', { tokens: 5, reason: 'new' })).status, 200)
    assert.equal((await send('PATCH /members/10/tokenBalance', { tokens: -5 })).status, 200)
    const erased = await send('POST /members/10/erasure')
    assert.equal(erased.status, 200, erased.text)
    await cells.move('open', 1, { stopAfter: 'drained' }).catch(() => {})
    const [there, here] = [await rowsOfRealm(cells, 1, realm), await rowsOfRealm(cells, 0, realm)]
    for (const table of ['journal', 'details', 'erasures', 'members'])
      assert.equal(there[table], here[table], table)
    await cells.move('open', 1, { giveUp: true })
    assert.equal((await send('POST /members/9/erasure')).status, 200)
  })
})
