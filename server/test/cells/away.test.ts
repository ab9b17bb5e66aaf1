import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { type Cells, startCells } from '../../../tests/support/cells.ts'
import { makeRealm, type RealmAccess } from '../../../tests/support/fixture.ts'
import { asRealm, manage, operate } from '../../../tests/support/operator.ts'
import { browser, cookieIn, tokenIn, useLink } from '../../../tests/support/person.ts'
import { operatorToken, runCommand } from '../../../tests/support/process.ts'
import { type Restartable, startRestartable } from '../../../tests/support/restartable.ts'
import { freshDatabase } from '../../../tests/support/suite.ts'
import { startApp } from '../../src/app/index.ts'
import { readConfig } from '../../src/config/index.ts'
import { keyForm } from '../../src/keys/index.ts'

let postgres: Restartable
let cells: Cells
let realm: RealmAccess
before(async () => {
  postgres = await startRestartable()
  cells = await startCells({ ...postgres, drop: async () => {} })
  realm = await makeRealm(
    { baseUrl: url(), token: operatorToken },
    { id: 'far', unknownMembers: 'create', name: 'Far' },
  )
})
after(async () => {
  await cells?.close()
  await postgres?.remove()
})

const url = () => cells.apps[1].url
const own = () => cells.databases[1].superuserUrl
const isAway = ({ status, json, text }: Answer) => {
  assert.equal(status, 503, text)
  assert.match(json.code, /^(unavailable|wrong_cell)$/)
}

/** Waits for a state that is reached within seconds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 15_000
  while (!(await isSo())) {
    assert.ok(Date.now() < endMs, 'it took more than 15 s')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const readiness = async (at = url()) => (await call('GET', `${at}/readyz`)).status

describe('while the directory is away', () => {
  it('keys of a realm in another cell work, and what needs the directory is 503', async () => {
    const invited = await manage(url(), 'POST /realms/far/invitations', { name: 'Ann', role: 'owner' })
    const signed = await useLink(url(), tokenIn(invited.json.link))
    const ann = browser(url(), cookieIn(signed))
    const key = await ann.key('far')
    await asRealm(url(), { ...realm, key }, { line: 'PATCH /members/1/tokenBalance', body: { tokens: 1 } })
    await postgres.stop('immediate')
    try {
      for (let count = 0; count < 50; count++) {
        const line = 'PATCH /members/7/tokenBalance'
        const written = await asRealm(url(), realm, { line, body: { tokens: 1 } })
        assert.equal(written.status, 200, written.text)
        const read = await manage(url(), 'GET /realms/far/members/1/history')
        assert.equal(read.status, 200, read.text)
      }
      const renamed = await manage(url(), 'PATCH /realms/far', { name: 'Farther' })
      assert.equal(renamed.status, 200, renamed.text)
      isAway(await operate(url(), 'POST /realms', {}))
      isAway(await operate(url(), 'GET /realms'))
      isAway(await operate(url(), 'POST /realms/far/keys', {}))
      isAway(await ann.send('GET', '/console/session'))
      isAway(await asRealm(url(), { ...realm, key: keyForm.make() }, { line: 'GET /points' }))
      assert.equal(await readiness(), 200)
    } finally {
      await postgres.start()
    }
    await until(async () => (await operate(url(), 'POST /realms/far/keys', {})).status === 201)
    assert.equal((await ann.send('GET', '/console/session')).status, 200)
  })
  it('a process that starts is not ready until it can be reached', async () => {
    await postgres.stop('immediate')
    const app = await startApp(readConfig(cells.env(1)))
    try {
      assert.equal(await readiness(app.url), 503)
      await postgres.start()
      await until(async () => (await readiness(app.url)) === 200)
    } finally {
      await app.close()
    }
  })
})

describe('a process that starts', () => {
  it('deletes heads of realms that the directory places elsewhere, and keeps the others', async () => {
    const create = async (id: string) => {
      await makeRealm({ baseUrl: url(), token: operatorToken }, { id })
      return (await rowsOf(postgres.superuserUrl, 'select realm from realms where id = $1', [id]))[0].realm
    }
    const [moved, returned, landed, stays] = [
      await create('moved'),
      await create('returned'),
      await create('landed'),
      await create('stays'),
    ]
    const place = (realm: number, cell: number, place: number) =>
      rowsOf(postgres.superuserUrl, 'update realms set cell = $2, place = $3 where realm = $1', [
        realm,
        cell,
        place,
      ])
    await place(moved, 0, 2)
    await place(returned, 1, 3)
    // It has moved here, and the directory does not know yet.
    await place(landed, 0, 1)
    await rowsOf(own(), 'update heads set place = 2 where realm = $1', [landed])
    const app = await startApp(readConfig(cells.env(1)))
    await app.close()
    const asked = [moved, returned, landed, stays]
    const heads = await rowsOf(own(), 'select realm from heads where realm = any ($1) order by 1', [asked])
    assert.deepEqual(
      heads.map((head) => head.realm),
      [landed, stays],
    )
  })
  it('deletes them also in cell 0 when its database was away at first, as while it is restored', async () => {
    const left = await makeRealm({ baseUrl: cells.apps[0].url, token: operatorToken }, { id: 'left' })
    await rowsOf(postgres.superuserUrl, `update realms set cell = 1, place = 2 where id = $1`, [left.id])
    await postgres.stop('immediate')
    const app = await startApp(readConfig(cells.env(0)))
    try {
      await postgres.start()
      await until(async () => (await readiness(app.url)) === 200)
      const heads = 'select from heads join realms using (realm) where id = $1'
      assert.deepEqual(await rowsOf(postgres.superuserUrl, heads, [left.id]), [])
    } finally {
      await app.close()
    }
  })
  it('refuses a database that was not added as a cell', async () => {
    const database = await freshDatabase()
    try {
      const env = cells.env(1, { DATABASE_URL: database.serverUrl, DATABASE_OWNER_URL: database.ownerUrl })
      const { code, err } = await runCommand(['serve'], env)
      assert.equal(code, 1)
      assert.match(err, /`exchequer-server cell add <cell>`/)
      const alone = await runCommand(['serve'], cells.env(1, { DIRECTORY_URL: '' }))
      assert.match(alone.err, /is cell 1\. Set DIRECTORY_URL/)
    } finally {
      await database.drop()
    }
  })
})

describe('upkeep', () => {
  it('ends creations that were cut off, and copies names that changed during an outage', async () => {
    const { CellUpkeep, Directory } = await import('../../src/cells/index.ts')
    const { openDatabase } = await import('../../src/db/database.ts')
    const db = openDatabase(postgres.serverUrl)
    const cell = openDatabase(cells.databases[1].serverUrl)
    const directory = await Directory.open({ own: cell, db })
    const upkeep = new CellUpkeep(directory, () => {})
    try {
      const insert = `insert into realms (id, cell, to_cell, placed_at)
        values ($1, 1, 1, now() - $2 * interval '1 minute')`
      await rowsOf(postgres.superuserUrl, insert, ['cut-long-ago', 61])
      await rowsOf(postgres.superuserUrl, insert, ['cut-now', 1])
      await rowsOf(
        postgres.superuserUrl,
        `update realms set to_cell = 1, placed_at = now() - interval '2 hours' where id = 'stays'`,
      )
      await upkeep.run()
      const rows = await rowsOf(
        postgres.superuserUrl,
        `select id, to_cell from realms where id like 'cut-%' or id = 'stays' order by id`,
      )
      assert.deepEqual(rows, [
        { id: 'cut-now', to_cell: 1 },
        { id: 'stays', to_cell: null },
      ])
      const [{ name }] = await rowsOf(postgres.superuserUrl, `select name from realms where id = 'far'`)
      assert.equal(name, 'Farther')
    } finally {
      upkeep.close()
      directory.close()
      await db.close()
      await cell.close()
    }
  })
})
