import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scopes } from '../../server/src/keys/scopes.ts'
import { makeRealm } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { type ImportResult, InvalidRequestError, Operator, Realm, UnavailableError } from '../src/index.ts'

let open: (more?: object) => Realm
suite({}, async ({ app: { url } }) => {
  const { id } = await makeRealm({ baseUrl: url, token: operatorToken })
  const operator = new Operator({ url, token: operatorToken })
  const { key } = await operator.realm(id).keys.issue({ scopes: [...scopes] })
  open = (more = {}) => new Realm({ url, realm: id, key, ...more })
})

const count = 5_000
const idOf = (index: number) => String(1_190_000_000_000_000_001n + BigInt(index))
/** Names with quotes, commas and line breaks: a chunk must not end within one. */
const rowOf = (index: number) => `${idOf(index)},"Ann ""${index}"",\n the first",${index % 7}\r\n`
const file = `\uFEFFid,username,balance\r\n${Array.from({ length: count }, (_, index) => rowOf(index)).join('')}`
const total = String(Array.from({ length: count }, (_, index) => index % 7).reduce((sum, one) => sum + one))

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

describe('an import', () => {
  it('is checked by a dry run, then applied once, however often and in whatever chunks', async () => {
    const realm = open()
    const bytes = new TextEncoder().encode(file)
    const checked = await realm.import(file, { name: 'move', dryRun: true })
    assert.deepEqual([checked.rows, checked.members.created, checked.faults.length], [count, count, 0])
    assert.deepEqual(Object.values(checked.totals), [total])
    assert.equal((await realm.members.list().page()).data.length, 0)
    const seen: ImportResult[] = []
    const done = await realm.import(inChunks(bytes, 9_973), {
      name: 'move',
      onProgress: (so) => seen.push(so),
    })
    assert.deepEqual({ ...done, dryRun: true }, checked)
    assert.ok(seen.length > 1, 'the import was sent in one chunk')
    const again = await realm.import(new Blob([bytes]), { name: 'move' })
    assert.equal(again.openings.made, 0)
    assert.equal((await realm.member(idOf(4_999)).get()).tokenBalance, 4_999 % 7)
    assert.equal((await realm.member(idOf(3)).get()).username, 'Ann "3",\n the first')
  })

  it('reports the line of an error in the file, also in a later chunk', async () => {
    const realm = open()
    const wrong = `${file}12,bob,not-a-number\r\n`
    const { faults } = await realm.import(wrong, { name: 'wrong', dryRun: true, addOnTop: true })
    assert.deepEqual(
      faults.map(({ line }) => line),
      [2 * count + 2],
    )
    await assert.rejects(realm.import('id\n12,\n13\n1.5\n', { name: 'short' }), InvalidRequestError)
    await assert.rejects(
      realm.import(`id,username\n1,"${'x'.repeat(70_000)}`, { name: 'open' }),
      /unclosed quote/,
    )
    await assert.rejects(realm.import('', { name: 'none' }), InvalidRequestError)
  })

  it('with another name adds no second opening balance, unless requested', async () => {
    const realm = open()
    await realm.member('21').put()
    await realm.member('21').adjust(4)
    const rows = 'id,balance\n21,5\n22,6\n'
    const checked = await realm.import(rows, { name: 'second', dryRun: true })
    assert.deepEqual([checked.openings.onTop, checked.faults.length], [1, 1])
    await assert.rejects(realm.import(rows, { name: 'second' }), (error) => {
      assert.ok(error instanceof InvalidRequestError)
      assert.match(error.message, /1 opening balance is for members who already have .*: 21\./)
      return true
    })
    assert.equal((await realm.member('21').get()).tokenBalance, 4)
    const { openings } = await realm.import(rows, { name: 'second', addOnTop: true })
    assert.deepEqual(openings, { made: 2, alreadyThere: 0, onTop: 1 })
    assert.equal((await realm.member('21').get()).tokenBalance, 9)
  })

  it('accepts NDJSON from a stream', async () => {
    const lines = [{ id: '31', balance: 5 }, { id: '32' }].map((row) => JSON.stringify(row)).join('\n')
    const done = await open().import(new Blob([lines]).stream(), { name: 'lines', format: 'ndjson' })
    assert.deepEqual([done.rows, done.openings.made], [2, 1])
  })
})

describe('an export', () => {
  it('is a stream of lines, and names the entry of its snapshot', async () => {
    const realm = open()
    const { stream, seq } = await realm.export('balances.csv')
    assert.equal(seq, (await realm.head()).seq)
    assert.match(await new Response(stream).text(), /1190000000000000001/)
    const lines: string[] = []
    for await (const line of (await realm.export('realm.ndjson')).lines()) lines.push(line)
    assert.deepEqual(JSON.parse(lines.at(-1) ?? '').end, true)
    assert.equal(lines.filter((line) => line.startsWith('{"member"')).length, count + 4)
  })

  it('that is cut off fails, and is not mistaken for a complete one', async () => {
    const cut: typeof fetch = async () => {
      const parts = [new TextEncoder().encode('{"a":1}\n{"b"')]
      const pull = (controller: ReadableStreamDefaultController) => {
        const part = parts.shift()
        if (part) controller.enqueue(part)
        else controller.error(new TypeError('terminated'))
      }
      return new Response(new ReadableStream({ pull }))
    }
    const lines: string[] = []
    const exported = await open({ fetch: cut }).export('realm.ndjson')
    await assert.rejects(async () => {
      for await (const line of exported.lines()) lines.push(line)
    }, UnavailableError)
    assert.deepEqual(lines, ['{"a":1}'])
  })

  it('can be stopped by its reader', async () => {
    const exported = await open().export('entries.csv')
    for await (const line of exported.lines()) {
      assert.match(line, /^seq,at,/)
      break
    }
    assert.equal((await exported.stream.getReader().read()).done, true)
  })
})
