import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { type Format, type Page, readPages } from '../../../src/files/imports/pages.ts'
import type { RealmConfig } from '../../../src/realms/index.ts'

const config = { points: new Map(), defaultPoint: undefined } as unknown as RealmConfig

/** The pages of a text, and how often the event loop ran other work meanwhile. */
async function read(format: Format, text: string): Promise<{ pages: Page[]; turns: number }> {
  let turns = 0
  let isReading = true
  const counting = (async () => {
    for (; isReading; turns += 1) await turn()
  })()
  const pages = await Array.fromAsync(readPages([text], { format, config, hash: (id) => id }))
  isReading = false
  await counting
  return { pages, turns }
}

const sums = (pages: readonly Page[]) => ({
  rows: pages.reduce((sum, { rows }) => sum + rows.length, 0),
  faults: pages.reduce((sum, { faults }) => sum + faults.length, 0),
})

describe('a file that is read in pages', () => {
  for (const [format, text] of [
    ['csv', `id\n${'x\n'.repeat(120_000)}`],
    ['ndjson', 'x\n'.repeat(120_000)],
  ] as const) {
    it(`yields to other work every 2,000 lines: ${format}`, async () => {
      const { pages, turns } = await read(format, text)
      assert.deepEqual(sums(pages), { rows: 0, faults: 120_000 })
      assert.ok(turns >= 60, `${turns} turns`)
    })
  }

  it('may have at most 1,000 wallets in a row, and checks none of them when there are more', async () => {
    const row = (count: number) => {
      const wallets = Array.from({ length: count }, (_, index) => `w${index}`)
      return `id,chain,wallet\n5,cosmos,${wallets.join(';')}\n`
    }
    const { pages: taken } = await read('csv', row(1_000))
    assert.equal(taken[0]?.rows[0]?.wallets.length, 1_000)
    const { pages: refused } = await read('csv', row(1_001))
    const detail = 'wallet: at most 1000 in one row. Import the others with another file.'
    assert.deepEqual(refused, [{ rows: [], faults: [{ line: 2, detail }] }])
    // None of these is an address, but only their number is reported.
    const { pages: wrong } = await read('csv', `id,wallet\n5,${'x;'.repeat(30_000)}\n`)
    assert.deepEqual(wrong, [{ rows: [], faults: [{ line: 2, detail }] }])
  })

  it('is read the same wherever it is split', async () => {
    const cell = '\u{1F4B0}'.repeat(40)
    const lines = Array.from({ length: 500 }, (_, index) => `${index + 1},"${cell}, ""a""\r\nb"\r\n`)
    const { pages } = await read('csv', `\uFEFFid,username\r\n${lines.join('')}`)
    assert.deepEqual(sums(pages), { rows: 500, faults: 0 })
    const [page] = pages
    assert.equal(page?.rows[499]?.username, `${cell}, "a"\r\nb`)
    assert.equal(page?.rows[499]?.line, 1_000)
  })
})
