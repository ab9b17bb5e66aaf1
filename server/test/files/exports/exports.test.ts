import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { rowsOf } from '../../../../tests/support/books.ts'
import { evmWallet } from '../../../../tests/support/fixture.ts'
import { freshDatabase, type TestDatabase } from '../../../../tests/support/suite.ts'
import { idCell, numberCell, textCell } from '../../../src/files/exports/csv.ts'
import { Exports, unguard } from '../../../src/files/exports/index.ts'
import { CsvReader } from '../../../src/files/imports/csv.ts'
import { type Books, openBooks } from '../../ledger/books.ts'
import { csvOf, forUs, post, textOf, writeHistory } from './books.ts'

let database: TestDatabase
let books: Books
let exports: Exports
let realm: number

before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  realm = await books.make({ open: false, points: ['gold', 'silver'], members: ['1', '2', '3'] })
  await writeHistory(books.ledger, realm)
  await rowsOf(
    database.superuserUrl,
    `update members set username = '=cmd', display_name = 'Fox, "the"' where id = 1;
      insert into wallets (realm, match, account, address, chain)
        values (${realm}, lower('${evmWallet}'), 1, '${evmWallet}', 'eip155'),
          (${realm}, 'abc', 1, 'abc', 'cosmos');
      update members set id = 1190194345295482952 where id = 3`,
  )
  exports = new Exports(books.db)
})
after(async () => {
  await books?.close()
  await database?.drop()
})

const cellsOf = (text: string) => {
  const reader = new CsvReader()
  return [...reader.push(text), ...reader.end()].map(({ cells }) => cells)
}

const units = Array.from('=+-@＝＠\'"\t\r\n;|, \u200b\u00a0aé')

describe('a cell', () => {
  it('never starts like a formula, except ids, which are a formula of their digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...units) }), (text) => {
        const [[cell = ''] = []] = cellsOf(`${textCell(text)},\n`)
        for (const piece of cell.split(/[;\t|,\n\r]/))
          assert.doesNotMatch(piece, /^[\s"\u200b]*[=+\-@＝＠]/, JSON.stringify(cell))
        assert.equal(unguard(cell), text)
      }),
      { numRuns: 5_000 },
    )
    assert.equal(idCell('1190194345295482952'), '"=""1190194345295482952"""')
    assert.equal(numberCell(999_999_999_999_999n), '999999999999999')
    assert.equal(numberCell(9_007_199_254_740_991n), '"=""9007199254740991"""')
  })
})

describe('members.csv', () => {
  it('has each member with names and wallets, safe for spreadsheets', async () => {
    const rows = cellsOf(await csvOf(exports, realm, 'members'))
    assert.deepEqual(rows[0], ['id', 'username', 'displayName', 'wallet', 'chain', 'joinedAt'])
    assert.deepEqual(rows[1]?.slice(0, 5), [
      '="1"',
      "'=cmd",
      'Fox, "the"',
      `${evmWallet};abc`,
      'eip155;cosmos',
    ])
    assert.equal(rows[3]?.[0], '="1190194345295482952"')
  })
})

describe('balances.csv', () => {
  it('lists each member’s balance and held points', async () => {
    const rows = cellsOf(await csvOf(exports, realm, 'balances'))
    const points = ['balance:gold', 'held:gold', 'balance:silver', 'held:silver']
    assert.deepEqual(rows[0], ['id', 'username', 'displayName', ...points])
    assert.deepEqual(
      rows.slice(1).map((row) => row.slice(3)),
      [
        ['86', '0', '0', '0'],
        ['42', '9', '0', '0'],
        ['9', '0', '5', '0'],
      ],
    )
  })

  it('is a snapshot at the entry it names, whatever happens before it is read', async () => {
    const due = await csvOf(exports, realm, 'balances')
    const { seq, chunks } = await exports.csv(realm, 'balances')
    const again = (asked: Parameters<typeof post>[2]) => post(books.ledger, realm, asked)
    await again({ kind: 'adjust', member: '1', tokens: -3n })
    await again({ kind: 'transfer', member: '2', recipient: '1', tokens: 4n })
    await again({ kind: 'hold', member: '1', tokens: 5n, forUs })
    await again({ kind: 'hold', member: '2', tokens: 5n, forUs, point: 'gold' })
    await again({ kind: 'adjust', member: '1', tokens: 8n, point: 'silver' })
    assert.equal(await textOf(chunks), due)
    assert.ok((await exports.csv(realm, 'balances')).seq > seq)
    assert.notEqual(await csvOf(exports, realm, 'balances'), due)
  })
})

describe('entries.csv', () => {
  it('has every entry up to the one it names, with its details', async () => {
    const { seq, chunks } = await exports.csv(realm, 'entries')
    await post(books.ledger, realm, { kind: 'adjust', member: '1', tokens: 1n })
    const [header, ...rows] = cellsOf(await textOf(chunks))
    assert.equal(rows.length, Number(seq))
    const at = (row: readonly string[] | undefined, name: string) => row?.[header?.indexOf(name) ?? -1]
    assert.equal(at(rows[1], 'reason'), 'a "gift", with,\ncommas')
    assert.equal(at(rows[2], 'reason'), "'=1+1")
    assert.equal(at(rows[2], 'toId'), '="1190194345295482952"')
    assert.deepEqual(
      ['type', 'fromId', 'toId', 'tokens', 'link'].map((name) => at(rows[4], name)),
      ['reversal', '="2"', '="1"', '10', '4'],
    )
    assert.match(at(rows[0], 'at') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  })
})
