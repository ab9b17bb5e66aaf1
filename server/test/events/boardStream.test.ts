import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { EventStream } from '../../../tests/support/eventStream.ts'
import { managed } from '../../../tests/support/manager.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

let stream: EventStream | undefined
after(() => stream?.close())
const made = suite()

const publish = async (isPublic: boolean) => {
  const realm = await managed(made, { unknownMembers: 'create' })
  await realm.send('PATCH ', { publicBoard: isPublic })
  return realm
}

const tokensAt = async (url: string) =>
  ((await call('GET', url)).json.members as { tokens: number }[]).map(({ tokens }) => tokens)

it('says when there are new entries, after which the leaderboard is at most a second old', async () => {
  const realm = await publish(true)
  await realm.send('PATCH /members/1/tokenBalance', { tokens: 5 })
  const board = `${made.app.url}/boards/${realm.id}`
  assert.deepEqual(await tokensAt(`${board}/leaderboard`), [5])
  stream = await EventStream.open(`${board}/stream`)
  assert.equal(stream.headers['access-control-allow-origin'], '*')
  assert.deepEqual((await stream.until(1))[0]?.data, { seq: '1' })
  for (let n = 0; n < 3; n++) await realm.send('PATCH /members/1/tokenBalance', { tokens: 1 })
  const [first, second] = await stream.until(2)
  assert.deepEqual(second?.data, { seq: '4' })
  assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) > 900, 'two events within a second')
  assert.deepEqual(await tokensAt(`${board}/leaderboard`), [8])
  await realm.send('PATCH ', { publicBoard: false })
  await realm.send('PATCH /members/1/tokenBalance', { tokens: 1 })
  await stream.ended()
})

it('404 where the board is not public', async () => {
  const realm = await publish(false)
  assertProblem(await call('GET', `${made.app.url}/boards/${realm.id}/stream`), 404, 'route_not_found')
})
