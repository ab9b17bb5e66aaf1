import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RefusalError, refuse, wrongCell } from '../../src/errors.ts'
import { type PublicBoard, PublicBoards } from '../../src/leaderboards/index.ts'
import type { Realm } from '../../src/realms/index.ts'

const point = { id: 'gold', archived: false }
const realm = { number: 1, config: { publicBoard: true, defaultPoint: point } } as unknown as Realm
const top = { members: [] } as unknown as PublicBoard['top']
const asked = { realmId: 'a', point: undefined, period: 'all' } as const

function scene(get: () => Promise<Realm> = async () => realm, ids?: Set<string>, hasOthers = false) {
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
    hasOthers: () => hasOthers,
    nowMs: () => clock.nowMs,
  })
  return { clock, boards }
}

describe('a public board', () => {
  it('is loaded once in five seconds, however many clients read it', async () => {
    const { clock, boards } = scene()
    await Promise.all(Array.from({ length: 50 }, () => boards.get(asked)))
    clock.nowMs = 4_999
    await boards.get(asked)
    assert.equal(clock.loads, 1)
    clock.nowMs = 5_000
    await boards.get(asked)
    assert.equal(clock.loads, 2)
  })

  it('is found among any number of unknown names, which cost one query a second', async () => {
    const ids = new Set(['a', 'b'])
    const { clock, boards } = scene(async () => realm, ids)
    await boards.get(asked)
    for (let id = 0; id < 5_000; id += 1)
      await assert.rejects(boards.get({ ...asked, realmId: `x${id}` }), { message: /no public leaderboard/ })
    assert.deepEqual([clock.loads, clock.lists], [1, 1])
    await boards.get({ ...asked, realmId: 'b' })
    await boards.get(asked)
    assert.equal(clock.loads, 2, 'nothing was evicted for made-up names')
    ids.add('c')
    await assert.rejects(boards.get({ ...asked, realmId: 'c' }), { message: /no public leaderboard/ })
    clock.nowMs = 1_000
    await boards.get({ ...asked, realmId: 'c' })
    assert.deepEqual([clock.loads, clock.lists], [3, 2])
  })

  it('is found at once when its realm has come from another cell, and is 503 while it is there', async () => {
    let isHere = false
    const ids = new Set(['other'])
    const arriving = async () => {
      if (!isHere) throw new RefusalError(wrongCell)
      return realm
    }
    const { clock, boards } = scene(arriving, ids, true)
    await assert.rejects(boards.get(asked), { refusal: wrongCell })
    isHere = true
    ids.add('a')
    assert.equal((await boards.get(asked)).point.id, 'gold')
    await Promise.all(Array.from({ length: 200 }, () => boards.get(asked)))
    assert.deepEqual([clock.loads, clock.lists], [3, 1])
  })

  it('of unknown names costs a limited number of queries a second with other cells too', async () => {
    const ids = new Set(['a'])
    const { clock, boards } = scene(
      () => Promise.reject(refuse('realm_not_found', 'There is none.')),
      ids,
      true,
    )
    const codes = new Set<string>()
    for (let id = 0; id < 500; id += 1)
      await boards.get({ ...asked, realmId: `x${id}` }).catch((error: RefusalError) => {
        codes.add(error.refusal.code)
      })
    assert.deepEqual([clock.loads, [...codes]], [50, ['route_not_found', 'overloaded']])
  })

  it('that does not exist is cached too', async () => {
    const { clock, boards } = scene(() => Promise.reject(refuse('realm_not_found', 'There is none.')))
    for (let time = 0; time < 3; time += 1)
      await assert.rejects(boards.get(asked), { message: /no public leaderboard/ })
    assert.equal(clock.loads, 1)
  })

  it('is loaded again at once when the database was unreachable', async () => {
    let away = true
    const { boards } = scene(async () => {
      if (away) throw new Error('unreachable')
      return realm
    })
    await assert.rejects(boards.get(asked), { message: 'unreachable' })
    away = false
    assert.equal((await boards.get(asked)).point.id, 'gold')
  })

  it('costs the database a limited number of queries a second', async () => {
    const { clock, boards } = scene()
    await boards.get(asked)
    clock.nowMs = 6_000
    for (let id = 0; id < 50; id += 1) await boards.get({ ...asked, realmId: `r${id}` })
    await assert.rejects(boards.get({ ...asked, realmId: 'one more' }), { message: /try again/ })
    assert.equal(clock.loads, 51)
    clock.nowMs = 7_000
    await boards.get({ ...asked, realmId: 'one more' })
  })

  it('that is cached is refreshed amid requests for made-up names, and is never 15 seconds old', async () => {
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
    assert.equal(clock.loads, loads + 1, 'made-up names have their own limit')
    for (const one of many.slice(1)) await boards.get(one)
    await assert.rejects(
      boards.get({ ...asked, realmId: 'r0' }),
      { message: /try again/ },
      'too old to be returned',
    )
  })

  it('is evicted when a thousand are cached', async () => {
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
