import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refuse } from '../../src/errors.ts'
import { type PublicBoard, PublicBoards } from '../../src/leaderboards/index.ts'
import type { Realm } from '../../src/realms/index.ts'

const point = { id: 'gold', archived: false }
const realm = { number: 1, config: { publicBoard: true, defaultPoint: point } } as unknown as Realm
const top = { members: [] } as unknown as PublicBoard['top']
const asked = { realmId: 'a', point: undefined, period: 'all' } as const

function scene(get: () => Promise<Realm> = async () => realm, ids?: Set<string>) {
  const clock = { nowMs: 0, loads: 0, lists: 0 }
  const boards = new PublicBoards({
    realms: {
      get: () => {
        clock.loads += 1
        return get()
      },
      publicIds: async () => {
        clock.lists += 1
        return ids && new Set(ids)
      },
    },
    standings: { top: async () => top },
    nowMs: () => clock.nowMs,
  })
  return { clock, boards }
}

describe('a public board', () => {
  it('is asked for once in five seconds, however many read it', async () => {
    const { clock, boards } = scene()
    await Promise.all(Array.from({ length: 50 }, () => boards.get(asked)))
    clock.nowMs = 4_999
    await boards.get(asked)
    assert.equal(clock.loads, 1)
    clock.nowMs = 5_000
    await boards.get(asked)
    assert.equal(clock.loads, 2)
  })

  it('is found beside any number of names that are none, which cost one question a second', async () => {
    const ids = new Set(['a', 'b'])
    const { clock, boards } = scene(async () => realm, ids)
    await boards.get(asked)
    for (let id = 0; id < 5_000; id += 1)
      await assert.rejects(boards.get({ ...asked, realmId: `x${id}` }), { message: /no public leaderboard/ })
    assert.deepEqual([clock.loads, clock.lists], [1, 1])
    await boards.get({ ...asked, realmId: 'b' })
    await boards.get(asked)
    assert.equal(clock.loads, 2, 'nothing made room for made-up names')
    ids.add('c')
    await assert.rejects(boards.get({ ...asked, realmId: 'c' }), { message: /no public leaderboard/ })
    clock.nowMs = 1_000
    await boards.get({ ...asked, realmId: 'c' })
    assert.deepEqual([clock.loads, clock.lists], [3, 2])
  })

  it('that is not there is remembered too', async () => {
    const { clock, boards } = scene(() => Promise.reject(refuse('realm_not_found', 'There is none.')))
    for (let time = 0; time < 3; time += 1)
      await assert.rejects(boards.get(asked), { message: /no public leaderboard/ })
    assert.equal(clock.loads, 1)
  })

  it('is asked for again at once when the database was away', async () => {
    let away = true
    const { boards } = scene(async () => {
      if (away) throw new Error('away')
      return realm
    })
    await assert.rejects(boards.get(asked), { message: 'away' })
    away = false
    assert.equal((await boards.get(asked)).point.id, 'gold')
  })

  it('costs the database so many questions a second at most', async () => {
    const { clock, boards } = scene()
    await boards.get(asked)
    clock.nowMs = 6_000
    for (let id = 0; id < 50; id += 1) await boards.get({ ...asked, realmId: `r${id}` })
    await assert.rejects(boards.get({ ...asked, realmId: 'one more' }), { message: /try again/ })
    assert.equal(clock.loads, 51)
    clock.nowMs = 7_000
    await boards.get({ ...asked, realmId: 'one more' })
  })

  it('that is known is read anew while others make names up, and is never 15 seconds old', async () => {
    const many = Array.from({ length: 101 }, (_, id) => ({ ...asked, realmId: `r${id}` }))
    const { clock, boards } = scene()
    for (const one of many) {
      clock.nowMs += 100
      await boards.get(one)
    }
    clock.nowMs = 20_000
    for (let id = 0; id < 60; id += 1) await boards.get({ ...asked, realmId: `x${id}` }).catch(() => {})
    const { loads } = clock
    await boards.get({ ...asked, realmId: 'r100' })
    assert.equal(clock.loads, loads + 1, 'what strangers made up has its own share')
    for (const one of many.slice(1)) await boards.get(one)
    await assert.rejects(
      boards.get({ ...asked, realmId: 'r0' }),
      { message: /try again/ },
      'too old to be told',
    )
  })

  it('is forgotten for others when a thousand are kept', async () => {
    const { clock, boards } = scene()
    for (let id = 0; id <= 1_000; id += 1) {
      clock.nowMs += 20
      await boards.get({ ...asked, realmId: `r${id}` })
    }
    const { loads } = clock
    await boards.get({ ...asked, realmId: 'r1000' })
    assert.equal(clock.loads, loads)
    await boards.get({ ...asked, realmId: 'r0' })
    assert.equal(clock.loads, loads + 1)
  })
})
