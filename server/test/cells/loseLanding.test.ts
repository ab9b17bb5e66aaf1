import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Losing } from './losing.ts'
import { headOf } from './realmRows.ts'

/** The cell that a realm moves to, or the directory, loses transactions in a failover. */
let scene: Losing
before(async () => {
  scene = await Losing.start()
})
after(() => scene?.stop())
beforeEach(() => scene.another())

describe('a target that lost the landing', () => {
  for (const [step, words] of [
    ['landed', 'the directory knew of it'],
    ['flipped', 'the directory named it'],
  ] as const)
    it(`lands the realm again when ${words}`, async () => {
      await scene.stopped(step)
      await scene.loseLanding()
      await scene.compare(1)
      await scene.move()
      await scene.isMoved()
    })

  for (const step of ['landed', 'flipped'] as const)
    it(`and entries: the realm stays where it was, after ${step}`, async () => {
      await scene.stopped(step)
      await scene.loseLanding()
      await scene.loseEntry()
      await assert.rejects(scene.move(), /The move was given up: realm .* stays in cell 0/)
      await scene.isBack()
    })

  it('and entries: the move is not given up where rows were deleted', async () => {
    await scene.stopped('flipped')
    await scene.loseLanding()
    await scene.loseEntry()
    await scene.sql(0, 'update departed set purge_began_at = now() where realm = $1')
    await assert.rejects(scene.move(), /has deleted rows of realm .* Restore cell 1/)
    assert.deepEqual(await scene.heads(), [undefined, undefined])
    const [{ state }] = await scene.sql(1, 'select state from arrivals where realm = $1')
    assert.equal(state, 'ready')
    // So that the movers of other tests drop its slot.
    await scene.sql(0, 'update moves set ended_at = now() where realm = $1')
  })
})

describe('a directory that lost the last steps of a move', () => {
  for (const step of ['begun', 'ready', 'passed'] as const)
    it(`is back at ${step}: the move goes on where it is`, async () => {
      await scene.stopped('flipped')
      await scene.sql(0, 'update realms set cell = 0, to_cell = 1, place = 1 where realm = $1')
      await scene.forgetHanded()
      await scene.backTo(step)
      await scene.move()
      await scene.isMoved()
      const handed = `select seq || ':' || encode(hash, 'hex') as head from moves where realm = $1`
      assert.equal((await scene.sql(0, handed))[0].head, await headOf(scene.cells, 1, scene.realm))
    })
})
