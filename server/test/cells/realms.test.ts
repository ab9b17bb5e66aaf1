import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { type Cells, startCells } from '../../../tests/support/cells.ts'
import { makeRealm, type RealmAccess } from '../../../tests/support/fixture.ts'
import { asRealm, manage, operate } from '../../../tests/support/operator.ts'
import { operatorToken, runCommand } from '../../../tests/support/process.ts'

let cells: Cells
let old: RealmAccess
before(async () => {
  cells = await startCells(undefined, async (first) => {
    old = await makeRealm({ baseUrl: first.url, token: operatorToken }, { id: 'old', name: 'Before cells' })
  })
})
after(() => cells?.close())

const url = (cell: 0 | 1) => cells.apps[cell].url
const in0 = (line: string, body?: unknown) => operate(url(0), line, body)
const in1 = (line: string, body?: unknown) => operate(url(1), line, body)
const made = (cell: 0 | 1, body: object) => makeRealm({ baseUrl: url(cell), token: operatorToken }, body)

describe('a new realm', () => {
  it('is created in the cell of the server that responds, with a number of the directory', async () => {
    const here = await in1('POST /realms', { id: 'there', name: 'There' })
    assert.equal(here.status, 201, here.text)
    assert.equal(here.json.cell, 1)
    const [row] = await rowsOf(cells.databases[1].superuserUrl, `select realm, cell from realms`)
    const places = `select realm, cell, to_cell, name from realms where id = 'there'`
    const [place] = await rowsOf(cells.databases[0].superuserUrl, places)
    assert.deepEqual(place, { realm: row.realm, cell: 1, to_cell: null, name: 'There' })
    assert.equal((await in0('POST /realms', { id: 'here' })).json.cell, 0)
    const heads = 'select count(*)::int as count from heads h join realms r using (realm) where r.id = $1'
    for (const [cell, id, count] of [
      [0, 'here', 1],
      [0, 'there', 0],
      [1, 'there', 1],
    ] as const)
      assert.deepEqual(await rowsOf(cells.databases[cell].superuserUrl, heads, [id]), [{ count }])
  })
  it('is refused by a server of another cell than the named one', async () => {
    const refused = await in0('POST /realms?cell=1', { id: 'named' })
    assert.equal(refused.status, 503)
    assert.equal(refused.json.code, 'wrong_cell')
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await in1('POST /realms?cell=1', { id: 'named' })).json.cell, 1)
  })
  it('is refused by a cell that is full, with the cells that are open', async () => {
    for (const [cell, ask] of [
      ['0', in0],
      ['1', in1],
    ] as const) {
      assert.equal((await runCommand(['cell', 'set', cell, 'full'], cells.env(0))).code, 0)
      const refused = await ask('POST /realms', { id: `full-${cell}` })
      assert.equal(refused.json.code, 'wrong_cell', refused.text)
      assert.match(refused.json.detail, cell === '0' ? /do: 1\./ : /do: 0\./)
      assert.equal((await runCommand(['cell', 'set', cell, 'open'], cells.env(0))).code, 0)
      assert.equal((await ask('POST /realms', { id: `full-${cell}` })).status, 201)
    }
  })
  it('gets no id that a realm of any cell has', async () => {
    await in1('POST /realms', { id: 'taken' })
    for (const ask of [in0, in1]) {
      assert.equal((await ask('POST /realms', { id: 'taken' })).json.code, 'already_exists')
      assert.equal((await ask('POST /realms', { id: 'old' })).json.code, 'already_exists')
    }
  })
  it('whose creation was cut off is finished by repeating it', async () => {
    const [{ realm }] = await rowsOf(
      cells.databases[0].superuserUrl,
      `insert into realms (id, cell, to_cell) values ('cut', 1, 1) returning realm`,
    )
    const listed = async () => (await in0('GET /realms?name=cut')).json.data
    assert.deepEqual(await listed(), [])
    assert.equal((await in0('POST /realms', { id: 'cut' })).json.code, 'already_exists')
    const repeated = await in1('POST /realms', { id: 'cut' })
    assert.equal(repeated.status, 201, repeated.text)
    const [row] = await rowsOf(cells.databases[1].superuserUrl, `select realm from realms where id = 'cut'`)
    assert.equal(row.realm, realm)
    assert.equal((await listed()).length, 1)
    assert.equal((await in1('POST /realms', { id: 'cut' })).json.code, 'already_exists')
  })
})

describe('a realm of another cell', () => {
  it('is 503 wrong_cell for operators, and 404 if it is in none', async () => {
    const realm = await made(1, { id: 'far' })
    for (const path of ['', '/keys', '/audit']) {
      const refused = await in0(`GET /realms/${realm.id}${path}`)
      assert.equal(refused.status, 503, refused.text)
      assert.equal(refused.json.code, 'wrong_cell')
      assert.equal((await in1(`GET /realms/${realm.id}${path}`)).status, 200)
      assert.equal((await in1(`GET /realms/old${path}`)).json.code, 'wrong_cell')
      assert.equal((await in1(`GET /realms/none${path}`)).json.code, 'realm_not_found')
    }
  })
  it('has its public board there: 503 wrong_cell elsewhere, and 404 if it has none', async () => {
    const realm = await made(1, { id: 'shown' })
    const boardIn = (cell: 0 | 1, id: string) => call('GET', `${url(cell)}/boards/${id}/leaderboard`)
    assert.equal((await boardIn(1, 'nobody')).status, 404)
    assert.equal((await manage(url(1), 'PATCH /realms/shown', { publicBoard: true })).status, 200)
    // At once, though the list of public boards is of a moment ago.
    assert.equal((await boardIn(1, realm.id)).status, 200)
    const elsewhere = await boardIn(0, realm.id)
    assert.deepEqual([elsewhere.status, elsewhere.json.code], [503, 'wrong_cell'])
    assert.equal((await boardIn(0, 'nobody')).status, 404)
  })
  it('works in its own cell as any other', async () => {
    const realm = await made(1, { id: 'works', unknownMembers: 'create' })
    const line = 'PATCH /members/7/tokenBalance'
    assert.equal((await asRealm(url(1), realm, { line, body: { tokens: 5 } })).status, 200)
    assert.equal((await asRealm(url(0), old, { line: 'GET /points' })).status, 200)
  })
})

describe('commands', () => {
  it('name what is missing, and change nothing', async () => {
    const said = async (line: string, cell: 0 | 1, extra: Record<string, string> = {}) => {
      const { code, err } = await runCommand(line.split(' '), cells.env(cell, extra))
      assert.notEqual(code, 0, line)
      return err
    }
    assert.match(await said('cell add 2', 1), /CELL_URLS has no cell 2/)
    assert.match(await said('cell set 7 full', 0), /There is no cell 7/)
    assert.match(await said('cell set 1 closing', 0), /open, full, closed/)
    const urls = `0=${cells.databases[0].ownerUrl},2=${cells.databases[1].ownerUrl}`
    assert.match(await said('cell add 2', 1, { CELL_URLS: urls }), /cell 2 in CELL_URLS is cell 1/)
    assert.match(await said('realm import x', 1), /only into cell 0/)
    assert.match(await said('realm purge there --confirm there', 0), /is in cell 1/)
  })
  it('can add a cell again, and list the cells', async () => {
    const again = await runCommand(['cell', 'add', '1'], cells.env(1))
    assert.equal(again.code, 0, again.err)
    assert.equal(JSON.parse(again.out).state, 'open')
    const { out } = await runCommand(['cell', 'list'], cells.env(1))
    const listed = JSON.parse(out).map(({ cell, state }: { cell: number; state: string }) => [cell, state])
    assert.deepEqual(listed, [
      [0, 'open'],
      [1, 'open'],
    ])
  })
})

describe('the list of realms', () => {
  const ids = (answer: { json: { data: { id: string }[] } }) => answer.json.data.map(({ id }) => id)

  it('has those of all cells, by cell, and by a part of their names', async () => {
    await made(0, { id: 'n0', name: 'Guild of Owls' })
    await made(1, { id: 'n1', name: 'guild of 100% cats' })
    for (const ask of [in0, in1]) {
      assert.deepEqual(ids(await ask('GET /realms?name=GUILD')), ['n0', 'n1'])
      assert.deepEqual(ids(await ask('GET /realms?name=guild&cell=1')), ['n1'])
      assert.deepEqual(ids(await ask('GET /realms?name=100%25')), ['n1'])
      assert.deepEqual(ids(await ask('GET /realms?name=0_%25')), [])
      const all = ids(await ask('GET /realms?limit=1000'))
      assert.ok(all.includes('old') && all.includes('n0') && all.includes('n1'), all.join())
    }
    const [near, far] = (await in0('GET /realms?name=guild')).json.data
    assert.equal(near.points.length, 1)
    assert.deepEqual(Object.keys(far).sort(), ['cell', 'createdAt', 'id', 'name'])
    assert.deepEqual([near.cell, far.cell], [0, 1])
  })
  it('shows a new name', async () => {
    for (const [cell, ask] of [
      [0, in0],
      [1, in1],
    ] as const) {
      const { id } = await made(cell, {})
      assert.equal((await manage(url(cell), `PATCH /realms/${id}`, { name: `Renamed ${cell}` })).status, 200)
      assert.deepEqual(ids(await ask(`GET /realms?name=renamed%20${cell}`)), [id])
    }
  })
})

describe('a feed of a cell', () => {
  it('is refused by a server of another one', async () => {
    assert.equal((await in0('GET /changes?cell=1')).json.code, 'wrong_cell')
    assert.equal((await in0('GET /changes?cell=0')).json.code, 'not_set_up')
  })
})
