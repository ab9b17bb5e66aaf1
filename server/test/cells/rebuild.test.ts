import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Losing } from './losing.ts'
import { links, placeOf } from './realmRows.ts'

/** The statements of docs/operate/cells.md for a directory that was restored to an older moment. */
let scene: Losing
before(async () => {
  scene = await Losing.start()
})
after(() => scene?.stop())
beforeEach(() => scene.another())

const page = readFileSync(new URL('../../../docs/operate/cells.md', import.meta.url), 'utf8')
const recipe = page.slice(page.indexOf('## Rebuild the directory'))
const readText = /heads\.csv -c "([^"]+)"/.exec(recipe)?.[1] ?? ''
const writeText = /^ {4}begin;\n(?: {4}.*\n)+? {4}commit;\n {4}select .*$/m.exec(recipe)?.[0] ?? ''

const columns = ['what', 'realm', 'id', 'place', 'cell', 'to_cell', 'seq', 'hash']
const types = ['text', 'integer', 'text', 'integer', 'smallint', 'smallint', 'bigint', 'text']

/** As an operator does it. */
async function rebuild(): Promise<void> {
  const found: unknown[] = []
  for (const cell of [0, 1]) {
    const read = readText.replaceAll(/\bN\b/g, String(cell))
    const rows = await scene.cells.sql(cell, `select to_jsonb(f) as row from (${read}) f (${columns.join()})`)
    found.push(...rows.map(({ row }) => row))
  }
  const shape = columns.map((name, index) => `${name} ${types[index]}`)
  const rows = `jsonb_to_recordset($json$${JSON.stringify(found)}$json$)`
  const filled = writeText
    .replace(/\\copy found .*/, () => `insert into found select * from ${rows} as r (${shape.join()});`)
    .replace(/\\copy hashes .*/, '')
  assert.ok(readText && writeText && !filled.includes('\\copy'))
  await scene.cells.sql(0, filled)
}

/** The directory is as it was before the move began, or when it began. */
async function forget(what: 'the move' | 'its steps'): Promise<void> {
  if (what === 'the move') await scene.sql(0, 'delete from moves where realm = $1')
  await scene.forgetHanded()
  await scene.backTo('begun')
  await scene.sql(0, 'update realms set cell = 0, to_cell = null, place = 1 where realm = $1')
}

const placed = () => placeOf(scene.cells, scene.realm)

describe('a directory that is rebuilt while a realm is paused', () => {
  for (const what of ['the move', 'its steps'] as const) {
    it(`has lost ${what}: the realm is where it was when the move is given up`, async () => {
      await scene.stopped('drained')
      await forget(what)
      await rebuild()
      assert.deepEqual(
        [await scene.heads(), await placed()],
        [
          [undefined, undefined],
          [0, 1],
        ],
      )
      const { code, err } = await scene.cells.run(`realm move ${scene.id} --give-up`)
      assert.equal(code, 0, err)
      await scene.isBack()
    })

    it(`has lost ${what}: the move can go on too`, async () => {
      await scene.stopped('paused')
      await forget(what)
      await rebuild()
      await scene.move()
      await scene.isMoved()
    })
  }
})

describe('a directory that is rebuilt while a realm moves', () => {
  it('names the cell where it is served before its pause, and the move is given up', async () => {
    await scene.stopped('ready')
    await forget('the move')
    await rebuild()
    assert.deepEqual(
      [await scene.heads(), await placed()],
      [
        [scene.head, undefined],
        [0, 1],
      ],
    )
    await scene.move({ giveUp: true })
    await scene.isBack()
  })

  it('names the cell where it has landed, and the move ends', async () => {
    await scene.stopped('landed')
    await forget('its steps')
    await rebuild()
    assert.deepEqual(
      [await scene.heads(), await placed()],
      [
        [undefined, scene.head],
        [1, null],
      ],
    )
    await scene.move()
    assert.deepEqual(await links(scene.cells), [])
  })
})
