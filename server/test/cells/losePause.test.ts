import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Losing } from './losing.ts'

/** The cell that a realm leaves loses transactions in a failover, in the middle of the move. */
let scene: Losing
before(async () => {
  scene = await Losing.start()
})
after(() => scene?.stop())
beforeEach(() => scene.another())

const nowhere = [undefined, undefined]

describe('a source that lost the pause', () => {
  it('does not serve the realm when it has landed, also when that was not recorded', async () => {
    await scene.stopped('landed')
    await scene.backTo('drained')
    await scene.losePause()
    await scene.compare(0)
    assert.deepEqual(await scene.heads(), [undefined, scene.head])
    await scene.move()
    await scene.isMoved()
  })

  it('does not serve it while it may land, and has it back when the next mover gives up', async () => {
    await scene.stopped('drained')
    await scene.losePause()
    await scene.compare(0)
    assert.deepEqual(await scene.heads(), nowhere)
    await assert.rejects(scene.move(), /has lost the pause .* The move was given up: .* stays in cell 0/)
    await scene.isBack()
    await scene.move()
    await scene.isMoved()
  })

  it('has it back when the operator gives up the move', async () => {
    await scene.stopped('paused')
    await scene.losePause()
    await scene.compare(0)
    assert.deepEqual(await scene.heads(), nowhere)
    await scene.move({ giveUp: true })
    await scene.isBack()
  })

  it('serves it on when the next move has not come to its pause', async () => {
    await scene.stopped('paused')
    await scene.move({ giveUp: true })
    await scene.stopped('ready')
    // As before the pause of the first move.
    await scene.sql(0, 'update heads set place = 1 where realm = $1')
    await scene.compare(0)
    assert.deepEqual(await scene.heads(), [scene.head, undefined])
    await scene.move()
    await scene.isMoved()
  })

  it('lets the move end, also when the directory has lost what the realm left with', async () => {
    await scene.stopped('landed')
    await scene.forgetHanded()
    await scene.losePause()
    await scene.compare(0)
    await scene.move()
    await scene.isMoved()
  })
})

describe('a source that lost the end of a move that was given up', () => {
  it('has the realm back by giving it up again, but not what a later move took away', async () => {
    const { cells, id } = scene
    await scene.stopped('drained')
    const [departed] = await scene.sql(0, 'select to_jsonb(d) as row from departed d where realm = $1')
    await scene.move({ giveUp: true })
    const pauseAgain = async () => {
      await scene.sql(0, 'delete from heads where realm = $1')
      await scene.sql(0, 'delete from departed where realm = $1')
      const put = `insert into departed select (jsonb_populate_record(null::departed, $2::jsonb)).*
        where $1::integer is not null`
      await scene.sql(0, put, [JSON.stringify(departed.row)])
    }
    await pauseAgain()
    await scene.compare(0)
    const { code, err } = await cells.run(`realm move ${id} --give-up`)
    assert.equal(code, 0, err)
    assert.deepEqual(await scene.sql(0, 'select from departed where realm = $1'), [])
    await scene.isBack()
    await scene.move()
    await pauseAgain()
    // Also not when the directory was restored and names this cell.
    await scene.sql(0, 'update realms set cell = 0 where realm = $1')
    const late = await cells.run(`realm move ${id} --give-up`)
    assert.deepEqual([late.code, /is not moving/.test(late.err)], [1, true], late.err)
    assert.deepEqual(await scene.heads(), [undefined, scene.head])
  })
})
