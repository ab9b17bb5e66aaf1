import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { environment, runCommand } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { openDatabase } from '../src/db/database.ts'
import { Realms } from '../src/realms/index.ts'

let database: TestDatabase
let elsewhere: TestDatabase
let folder: string
before(async () => {
  ;[database, elsewhere] = [await freshDatabase(), await freshDatabase()]
  folder = mkdtempSync(join(tmpdir(), 'exchequer-import-export-'))
  await create('guild')
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.drop()
  await elsewhere?.drop()
})

const run = (line: string, where = database) => runCommand(line.split(' '), environment(where))

async function create(id: string): Promise<void> {
  const db = openDatabase(database.serverUrl)
  const tester = { name: 'tester', address: null, requestId: null }
  await new Realms(db).create({ id, point: { id: 'gold' } }, tester)
  await db.close()
}

function file(name: string, text: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('import', () => {
  const rows = Array.from({ length: 2_500 }, (_, index) => `${index + 1},name${index},${index % 7}`)
  const csv = `id,username,balance\n${rows.join('\n')}\n`
  const total = rows.reduce((sum, _, index) => sum + (index % 7), 0)
  const openings = rows.filter((_, index) => index % 7 > 0).length

  it('a dry run states the total and changes nothing', async () => {
    const { code, out } = await run(`import ${file('a.csv', csv)} --realm guild --dry-run`)
    assert.equal(code, 0)
    assert.equal(out, `checked: 2500 rows, opening balances ${total} gold\n`)
    assert.deepEqual(await rowsOf(database.superuserUrl, 'select 1 from members'), [])
  })

  it('continues where it stopped when run again, and compares with the ledger', async () => {
    const half = `${csv.split('\n').slice(0, 1_201).join('\n')}\n`
    assert.equal((await run(`import ${file('half.csv', half)} --realm guild --name move`)).code, 0)
    const { code, out } = await run(`import ${file('a.csv', csv)} --realm guild --name move`)
    assert.equal(code, 0)
    assert.match(out, /imported: 1300 members created, 0 changed/)
    assert.match(out, new RegExp(`in the ledger: ${total} gold`))
    const again = await run(`import ${file('a.csv', csv)} --realm guild --name move`)
    const there = `0 opening balances created, ${openings} already imported`
    assert.match(again.out, new RegExp(`imported: 0 members created, 0 changed, 0 wallets linked, ${there}`))
    await assertBooks(database)
  })

  it('without a name it is named by a hash of the file', async () => {
    const path = file('b.csv', 'id,balance\n9000,5\n')
    for (const made of [1, 0]) {
      const { out } = await run(`import ${path} --realm guild`)
      assert.match(out, new RegExp(`${made} opening balances created`))
    }
  })

  it('refuses opening balances for existing members with another name, unless requested', async () => {
    await create('twice')
    const first = file('first.csv', 'id,balance\n1,5\n2,7\n3,\n')
    assert.equal((await run(`import ${first} --realm twice`)).code, 0)
    assert.equal((await run(`import ${first} --realm twice --dry-run`)).code, 0)
    const newer = file('newer.csv', 'id,balance\n1,6\n2,7\n3,4\n4,9\n')
    const entries = `select seq from journal where realm = (select realm from realms where id = 'twice')`
    for (const dry of [' --dry-run', '']) {
      const { code, err } = await run(`import ${newer} --realm twice${dry}`)
      assert.equal(code, 1)
      assert.match(err, /^line 2: 2 opening balances are for members who .*: 1, 2\. .*: --on-top add\.$/m)
      assert.match(err, /^Nothing was imported\.$/m)
      assert.equal((await rowsOf(database.superuserUrl, entries)).length, 2)
    }
    const { code, out } = await run(`import ${newer} --realm twice --on-top add`)
    assert.equal(code, 0)
    assert.match(out, /4 opening balances created, 0 already imported/)
    await assertBooks(database)
    assert.match(
      (await run(`import ${newer} --realm twice`)).out,
      /0 opening balances created, 4 already imported/,
    )
  })

  it('errors are reported by line, and nothing is imported', async () => {
    const raw = '{"id":"9001","balance":5}\n{"id":1.19E+18}\n'
    const { code, err } = await run(`import ${file('c.ndjson', raw)} --realm guild`)
    assert.equal(code, 1)
    assert.match(err, /^line 2: 1.19E\+18 is what a spreadsheet makes/m)
    assert.deepEqual(await rowsOf(database.superuserUrl, 'select 1 from members where id = 9001'), [])
  })

  it('an error that the operator can fix is one sentence', async () => {
    const path = file('d.csv', 'id\n1\n')
    for (const [line, said] of [
      [`import ${path}`, /--realm/],
      [`import ${path} --realm nowhere`, /nowhere/],
      [`import ${join(folder, 'none.csv')} --realm guild`, /none\.csv does not exist/],
      [`import ${file('e.csv', Buffer.from([0x69, 0x64, 0x0a, 0xff]))} --realm guild`, /not UTF-8/],
    ] as const) {
      const { code, err } = await run(line)
      assert.equal(code, 1)
      assert.match(err, said)
      assert.equal(err.trimEnd().split('\n').length, 1, err)
    }
  })
})

describe('realm export, realm import', () => {
  it('a realm is exported here and imported there with the same checkpoint', async () => {
    const out = await run('realm export guild')
    assert.equal(out.code, 0)
    const [, checkpoint = ''] = /exported as of (\S+)/.exec(out.err) ?? []
    const path = file('guild.ndjson', out.out)
    const loaded = await run(`realm import ${path}`, elsewhere)
    assert.equal(loaded.code, 0, loaded.err)
    assert.match(loaded.out, new RegExp(`^guild: ok ${checkpoint}$`, 'm'))
    assert.match((await run('verify --realm guild', elsewhere)).out, new RegExp(`guild: ok ${checkpoint}`))
    await assertBooks(elsewhere)
    const settings = { logo: 'javascript:1', colours: '{"primary":"red}</style>"}', timeZone: 'Nowhere' }
    const [first = '', ...rest] = out.out.split('\n')
    const header = JSON.parse(first)
    header.settings = { ...header.settings, ...settings }
    const bad = await run(`realm import ${file('bad.ndjson', [JSON.stringify(header), ...rest].join('\n'))}`)
    assert.equal(bad.code, 1)
    assert.match(bad.err, /^The first line has invalid settings: logo, colours, timeZone\.$/m)
    for (const name of ['', '🦊'.repeat(100)]) {
      header.settings = { ...JSON.parse(first).settings, name }
      const named = await run(`realm import ${file('named.ndjson', `${JSON.stringify(header)}\n`)}`)
      assert.match(named.err, /Realm guild already exists/, 'a name that a realm can have is no fault')
    }
    const again = await run(`realm import ${path}`, elsewhere)
    assert.equal(again.code, 1)
    assert.match(again.err, /Realm guild already exists/)
  })
})
