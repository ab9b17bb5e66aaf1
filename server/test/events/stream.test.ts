import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { call } from '../../../tests/support/call.ts'
import { EventStream } from '../../../tests/support/eventStream.ts'
import { managed } from '../../../tests/support/manager.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

const otherApp = moreApps()
const open: EventStream[] = []
after(() => {
  for (const stream of open) stream.close()
})
const made = suite({ STREAMS_PER_KEY: '3' })

async function newRealm() {
  const realm = await managed(made, { unknownMembers: 'create' })
  const { key } = (await realm.send('POST /keys', { scopes: ['journal:read'] })).json as { key: string }
  return { ...realm, key }
}

type Realm = Awaited<ReturnType<typeof newRealm>>
type Asked = Parameters<typeof EventStream.open>[1] & { readonly query?: string; readonly url?: string }

async function follow(realm: Realm, { query = '', url = made.app.url, ...asked }: Asked = {}) {
  const path = `/api/v4/realms/${realm.id}/journal/stream${query}`
  const stream = await EventStream.open(`${url}${path}`, { key: realm.key, ...asked })
  open.push(stream)
  return stream
}

const award = async (realm: Realm, count: number, member = '1') => {
  for (let n = 0; n < count; n++) await realm.send(`PATCH /members/${member}/tokenBalance`, { tokens: 1 })
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index))

describe('a stream of the journal', () => {
  it('has the entries as the journal lists them, as soon as they are posted', async () => {
    const realm = await newRealm()
    await award(realm, 2)
    const stream = await follow(realm)
    assert.equal(stream.status, 200)
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8')
    assert.equal(stream.headers['x-accel-buffering'], 'no')
    assert.equal(stream.headers['cache-control'], 'no-store')
    const beforeMs = performance.now()
    await award(realm, 3)
    const events = await stream.until(3)
    assert.ok((events[0]?.atMs ?? 0) - beforeMs < 1_000, 'an entry took more than a second')
    const { data: listed } = (await realm.send('GET /journal?cursor=2')).json
    assert.deepEqual(
      events.map(({ data }) => data),
      listed,
    )
    assert.deepEqual(stream.ids, ['3', '4', '5'])
    assert.match(stream.comments, /^retry: [12]\d{3}\n/)
  })

  it('begins after the cursor, and after Last-Event-ID where both are sent', async () => {
    const realm = await newRealm()
    await award(realm, 6)
    const first = await follow(realm, { query: '?cursor=2' })
    await first.until(4)
    first.close()
    const second = await follow(realm, { query: '?cursor=2', lastEventId: '5' })
    await award(realm, 1)
    await second.until(2)
    assert.deepEqual([first.ids, second.ids], [numbers(3, 6), numbers(6, 7)])
  })

  it('has no gap and no repeat, however far behind it begins and while entries are posted', async () => {
    const realm = await newRealm()
    const list = numbers(1, 500).map((memberId) => ({ memberId, tokens: 1 }))
    const changes = () => realm.send('POST /changes', { changes: list })
    await changes()
    await changes()
    const behind = await follow(realm, { query: '?cursor=0' })
    const live = await follow(realm)
    await changes()
    await behind.until(1_500)
    await live.until(500)
    assert.deepEqual([behind.ids, live.ids], [numbers(1, 1_500), numbers(1_001, 1_500)])
  })

  it('has entries that another process posts', async () => {
    const realm = await newRealm()
    const other = await otherApp(made)
    const stream = await follow(realm, { url: other.url })
    await award(realm, 1)
    await stream.until(1, 2_000)
    assert.deepEqual(stream.ids, ['1'])
  })

  it('of one realm has no entry of another', async () => {
    const [one, two] = [await newRealm(), await newRealm()]
    const [ofOne, ofTwo] = [
      await follow(one, { query: '?cursor=0' }),
      await follow(two, { query: '?cursor=0' }),
    ]
    await award(one, 2, '7')
    await award(two, 1, '8')
    await ofOne.until(2)
    await ofTwo.until(1)
    const members = ({ events }: EventStream) => events.map(({ data }) => (data as { toId: string }).toId)
    assert.deepEqual([members(ofOne), members(ofTwo)], [['7', '7'], ['8']])
  })

  it('ends within a second after its key was revoked', async () => {
    const realm = await newRealm()
    const { json } = await realm.send('POST /keys', { name: 'reader', scopes: ['journal:read'] })
    const stream = await follow(realm, { key: json.key })
    await realm.send(`DELETE /keys/${json.id}`)
    const atMs = performance.now()
    assert.ok((await stream.ended()) - atMs < 1_000, 'it went on')
  })
})

describe('refused', () => {
  it('403 without journal:read', async () => {
    const realm = await newRealm()
    const { status, response } = await follow(realm, { key: (await realm.send('POST /keys', {})).json.key })
    assert.equal(status, 403)
    response.resume()
  })

  it('400 for an entry that does not exist yet, and for what is no entry', async () => {
    const realm = await newRealm()
    await award(realm, 2)
    const at = (query: string, headers = {}) =>
      call('GET', `${made.app.url}/api/v4/realms/${realm.id}/journal/stream${query}`, {
        key: realm.key,
        headers,
      })
    assertInvalid(await at('?cursor=3'), 'query:cursor')
    assertInvalid(await at('?cursor=x'), 'query:cursor')
    assertInvalid(await at('', { 'last-event-id': '3' }), 'header:Last-Event-ID')
    assertInvalid(await at('', { 'last-event-id': '-1' }), 'header:Last-Event-ID')
    assertInvalid(await at('?from=2026-01-01'), 'query:from')
  })

  it('429 when the key has as many streams as it may, until one is closed', async () => {
    const realm = await newRealm()
    const streams = [await follow(realm), await follow(realm), await follow(realm)]
    const path = `/api/v4/realms/${realm.id}/journal/stream`
    const refused = await call('GET', `${made.app.url}${path}`, { key: realm.key })
    assertProblem(refused, 429, 'rate_limited')
    assert.equal(refused.headers['retry-after'], '5')
    streams[0]?.close()
    await streams[0]?.ended()
    for (let tries = 0; tries < 100; tries++) {
      const again = await follow(realm)
      if (again.status === 200) return
      again.response.resume()
    }
    assert.fail('the place was not given back')
  })
})
