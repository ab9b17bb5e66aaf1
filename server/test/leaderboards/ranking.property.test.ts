import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ranking } from '../../src/leaderboards/ranking.ts'

/** Numbers that look random and are the same in every run. */
function draw(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
}

/** The reference: sorts everything again, every time. */
class Naive {
  readonly scores = new Map<number, number>()
  hidden: ReadonlySet<number> = new Set()

  list(): number[] {
    return [...this.scores]
      .filter(([account, score]) => score > 0 && !this.hidden.has(account))
      .sort(([a, x], [b, y]) => y - x || a - b)
      .map(([account]) => account)
  }
}

function assertEqual(ranking: Ranking, naive: Naive, next: (below: number) => number): void {
  const list = naive.list()
  const score = (account: number) => naive.scores.get(account) ?? 0
  assert.equal(ranking.size, list.length)
  assert.deepEqual(ranking.slice(0, list.length + 5), list)
  const from = next(list.length + 3)
  assert.deepEqual(ranking.slice(from, 40), list.slice(from, from + 40))
  for (const account of [next(4_000), ...list.slice(from, from + 5)]) {
    assert.equal(ranking.scoreOf(account), score(account))
    assert.equal(ranking.isListed(account), list.includes(account))
    assert.equal(ranking.greater(score(account)), list.filter((one) => score(one) > score(account)).length)
    if (list.includes(account))
      assert.equal(ranking.before({ score: score(account), account }), list.indexOf(account))
  }
}

describe('a ranking', () => {
  for (const { seed, scores } of [
    { seed: 1, scores: 4 },
    { seed: 2, scores: 50 },
    { seed: 3, scores: 1_000_000 },
  ]) {
    it(`equals sorting everything again, with ${scores} different scores`, () => {
      const next = draw(seed)
      const [ranking, naive] = [new Ranking(), new Naive()]
      for (let round = 0; round < 60; round++) {
        for (let turn = 0; turn < 300; turn++) {
          const account = 1 + next(4_000)
          const score = next(3) === 0 ? 0 : next(scores)
          ranking.set(account, score)
          naive.scores.set(account, score)
        }
        if (round % 7 === 3) {
          naive.hidden = new Set(Array.from({ length: next(60) }, () => 1 + next(4_000)))
          ranking.hide(naive.hidden)
        }
        assertEqual(ranking, naive, next)
      }
    })
  }

  it('is empty again when everything is removed', () => {
    const ranking = new Ranking()
    for (let account = 1; account <= 3_000; account++) ranking.set(account, account % 10)
    for (let account = 1; account <= 3_000; account++) ranking.add(account, -(account % 10))
    assert.deepEqual([ranking.size, ranking.slice(0, 10)], [0, []])
  })

  it('of a million members fits in 30 MB, and is read and changed within microseconds', () => {
    const next = draw(5)
    const ranking = new Ranking()
    for (let account = 1; account <= 1_000_000; account++) ranking.set(account, 1 + next(1_000_000))
    assert.ok(ranking.bytes < 30e6, `${ranking.bytes} bytes`)
    const startMs = performance.now()
    for (let turn = 0; turn < 2_000; turn++) {
      const account = 1 + next(1_000_000)
      ranking.add(account, 1)
      ranking.greater(ranking.scoreOf(account))
      ranking.slice(0, 100)
    }
    // A hundred times what it takes, for slow machines.
    const eachMs = (performance.now() - startMs) / 2_000
    assert.ok(eachMs < 2, `${eachMs} ms`)
  })
})
