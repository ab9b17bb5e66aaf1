import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { knownMs } from './checkPlans.ts'
import { calls, listed, namesOf, ofWrites } from './checkTools.ts'
import { ann, call, doorOf, type KeyName, keyScopes, listedOrigin, type Place } from './place.ts'
import type { Checks } from './run.ts'

/** The route of the server: which tools each key has there, and what HTTP is answered with. */

const remembering = 'verify_journal'
const namesFor = (key: KeyName, writes: boolean): string[] => {
  const [usual, more] = listed[key]
  return [...usual, ...(writes ? more : [])].filter((one) => one !== remembering).sort()
}

export async function checkDoorLists(place: Place, { check }: Checks): Promise<void> {
  for (const [door, writes] of [
    ['off', false],
    ['limited', false],
    ['on', true],
  ] as const)
    await check(`tools/list over HTTP, MCP_WRITES=${door}: by the scopes of each key`, async () => {
      for (const key of Object.keys(keyScopes) as KeyName[]) {
        const connected = await place.open(place.keys[key], door)
        const wanted = namesFor(key, writes)
        assert.deepEqual(await namesOf(connected), wanted, key)
        for (const name of ofWrites.filter((one) => !wanted.includes(one)))
          await assert.rejects(connected.client.callTool({ name, arguments: {} }), /not found/)
        await connected.close()
      }
    })

  await check('MCP_WRITES=limited: only a key with a limit of points per day may write', async () => {
    for (const [limits, writes] of [
      [{ maxPerChange: 5 }, false],
      [{ maxPerDay: 5 }, true],
    ] as const) {
      const made = await place.realm.keys.issue({ name: 'bound', scopes: keyScopes.plain, ...limits })
      const connected = await place.open(made.key, 'limited')
      assert.deepEqual(await namesOf(connected), namesFor('plain', writes))
      await connected.close()
    }
  })

  await check('the same tools over HTTP by the protocol of 2026', async () => {
    const modern = await place.open(place.keys.owner, 'on', true)
    assert.deepEqual(await namesOf(modern), namesFor('owner', true))
    assert.equal((await call(modern, 'get_realm'))['name'], 'Guild')
    await modern.close()
  })

  await check('every tool that reads answers over HTTP as it does on stdio', async () => {
    const { transactionId } = await place.realm.member(ann).adjust(40, { reason: 'a quest' })
    const [http, stdio] = [await place.open(place.keys.viewer), await place.connect('viewer')]
    for (const [name, args] of Object.entries(calls(transactionId)))
      if (!/checkpoint|verify/.test(name))
        assert.deepEqual(await call(http, name, { ...args }), await call(stdio, name, { ...args }), name)
    await Promise.all([http.close(), stdio.close()])
  })
}

type Headers = Readonly<Record<string, string>>
type Posted = { readonly key?: string; readonly headers?: Headers; readonly door?: 'on' | 'off' }

/** A message as it is sent, and the response as it is. */
async function post(place: Place, body: unknown, { key, headers = {}, door = 'on' }: Posted = {}) {
  const response = await fetch(doorOf(await place.doors(door), place.realmId), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key ?? place.keys.viewer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const { status, headers: answered } = response
  const text = await response.text()
  return { status, text, type: answered.get('content-type') ?? '', headers: answered }
}

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const
const modernHeaders = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })
const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export async function checkDoor(place: Place, checks: Checks): Promise<void> {
  await checkMessages(place, checks)
  await checkRights(place, checks)
}

async function checkMessages(place: Place, { check }: Checks): Promise<void> {
  await check('one JSON response for each message; GET and DELETE are not allowed', async () => {
    const { status, type, text } = await post(place, list)
    assert.deepEqual([status, type], [200, 'application/json; charset=utf-8'])
    assert.equal((JSON.parse(text) as { id: number }).id, 1)
    const notified = await post(place, { jsonrpc: '2.0', method: 'notifications/initialized' })
    assert.deepEqual([notified.status, notified.text], [202, ''])
    for (const method of ['GET', 'DELETE']) {
      const headers = { authorization: `Bearer ${place.keys.viewer}` }
      const response = await fetch(doorOf(place.baseUrl, place.realmId), { method, headers })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
    }
  })

  await check('a subscription of the protocol of 2026 is refused, not streamed', async () => {
    const method = 'subscriptions/listen'
    const params = { notifications: {}, _meta: modernMeta }
    const { type, text } = await post(
      place,
      { jsonrpc: '2.0', id: 1, method, params },
      { headers: modernHeaders(method) },
    )
    assert.equal(type, 'application/json; charset=utf-8')
    assert.match(text, /Subscription limit reached/)
  })

  await check('a batch, and what is not JSON, are refused; so are other types and long bodies', async () => {
    const cases = [
      [await post(place, [list, list]), 400, /not a batch/],
      [await post(place, 'nonsense'), 400, /not valid JSON/],
      [await post(place, 'null'), 400, /"error"/],
      [await post(place, list, { headers: { 'content-type': 'text/plain' } }), 415, /unsupported_media_type/],
      [await post(place, { ...list, params: { x: 'x'.repeat(300_000) } }), 413, /body_too_large/],
    ] as const
    for (const [{ status, text }, wanted, words] of cases) {
      assert.equal(status, wanted, text)
      assert.match(text, words)
    }
  })
}

/** Requests a second and at once, of a key. */
const slow = { rate: 1, burst: 12 }

async function checkRights(place: Place, { check }: Checks): Promise<void> {
  await check('a key that is missing, wrong, revoked, or of another realm', async () => {
    assert.equal((await post(place, list, { key: 'exq_none' })).status, 401)
    const url = doorOf(place.baseUrl, place.realmId)
    assert.equal((await fetch(url, { method: 'POST' })).status, 401)
    const other = doorOf(place.baseUrl, 'other')
    const headers = { authorization: `Bearer ${place.keys.owner}`, 'content-type': 'application/json' }
    assert.equal((await fetch(other, { method: 'POST', headers, body: '{}' })).status, 403)
    const made = await place.realm.keys.issue({ name: 'short', scopes: ['members:read'] })
    assert.equal((await post(place, list, { key: made.key })).status, 200)
    await place.realm.keys.revoke(made.id)
    await sleep(knownMs)
    assert.equal((await post(place, list, { key: made.key })).status, 401)
  })

  await check('a page of another site is refused, one of a listed origin is not', async () => {
    for (const [origin, wanted] of [
      ['https://evil.example.com', 403],
      ['null', 403],
      [place.baseUrl, 403],
      [listedOrigin, 200],
    ] as const)
      assert.equal((await post(place, list, { headers: { origin }, door: 'off' })).status, wanted, origin)
  })

  await check('the requests of a tool count for the rate limit of its key', async () => {
    const made = await place.realm.keys.issue({ name: 'slow', scopes: ['members:read'], rateLimit: slow })
    const message = { ...list, method: 'tools/call', params: { name: 'get_realm', arguments: {} } }
    for (let nth = 0; nth < 5; nth += 1)
      assert.match((await post(place, message, { key: made.key })).text, /"structuredContent"/)
    const read = { authorization: `Bearer ${made.key}` }
    const url = `${place.baseUrl}/api/v4/realms/${place.realmId}`
    let left = 0
    while (left < slow.burst && (await fetch(url, { headers: read })).status === 200) left += 1
    // Five calls are ten requests; meanwhile a few are added.
    assert.ok(left <= 6, `${left} requests were left`)
  })
}
