import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LongList } from '../../src/http/route/longList.ts'

const texts = ['', 'plain', '"quoted" \\ \n\u0000', '\u{1F4B0}'.repeat(500), 'é\ud800', '€'.repeat(70_000)]

async function wholeOf(items: readonly object[]) {
  const list = new LongList('items')
  await list.add(items, (item) => item)
  return list.end({ next: null })
}

describe('a response with a long list', () => {
  it('is the JSON of the complete list, byte for byte', async () => {
    for (const count of [0, 1, 40]) {
      const items = Array.from({ length: count }, (_, place) => texts.map((text) => ({ place, text }))).flat()
      const { body } = await wholeOf(items)
      assert.equal(String(body), String(Buffer.from(JSON.stringify({ items, next: null }))))
    }
  })

  it('is the same when it is added in parts, some of them empty', async () => {
    const list = new LongList('items')
    const pieces = [[], [{ a: 1 }], [], [{ a: 2 }, { a: 3 }], []]
    for (const piece of pieces) await list.add(piece, (item) => item)
    assert.equal(String(list.end({ next: 3 }).body), JSON.stringify({ items: pieces.flat(), next: 3 }))
  })

  it('yields to other requests after 64 Ki characters', async () => {
    let turns = 0
    let isDone = false
    const others = () => {
      turns += 1
      if (!isDone) setImmediate(others)
    }
    setImmediate(others)
    const items = Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(1_024) }))
    await wholeOf(items)
    isDone = true
    assert.ok(turns >= 15, `${turns} turns`)
  })
})
