import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, call } from '../../../tests/support/call.ts'
import { makeRealm } from '../../../tests/support/fixture.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asOperator } from '../../../tests/support/v4.ts'
import { head } from '../../../tests/support/wire.ts'

/** Responses that clients do not read are limited. */

const made = suite()
/** More than the buffers of a connection hold. */
const entryCount = 3_000
let realm: { id: string; key: string }

async function keyOf(...scopes: readonly string[]): Promise<{ id: string; key: string }> {
  return asOperator(made, 'POST', { path: `/realms/${realm.id}/keys`, body: { scopes } })
}

/** Sends a GET, or several at once, and reads none of the responses. */
async function ask(path: string, key: string, count = 1): Promise<Socket> {
  const { hostname, port } = new URL(made.app.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  socket.pause()
  await once(socket, 'connect')
  socket.write(head(`GET /api/v4/realms/${realm.id}${path}`, { authorization: key }).repeat(count))
  return socket
}

const get = (path: string, key: string): Promise<Answer> =>
  call('GET', `${made.app.url}/api/v4/realms/${realm.id}${path}`, { key })

/** Leaves more and more responses unread, until one more is rejected with 429. */
async function askUntilRefused(path: string, key: string, count = 1) {
  const sockets: Socket[] = []
  for (;;) {
    sockets.push(await ask(path, key, count))
    await sleep(200)
    const refused = await get(path, key)
    if (refused.status === 429) return { refused, sockets }
    assert.ok(sockets.length < 10, 'never refused')
  }
}

/** Retries for up to five seconds. */
async function soon(holds: () => Promise<boolean>, words: string): Promise<void> {
  for (let round = 0; !(await holds()); round += 1) {
    assert.ok(round < 50, words)
    await sleep(100)
  }
}

describe('unread responses', () => {
  before(async () => {
    realm = await makeRealm({ baseUrl: made.app.url, token: operatorToken }, { unknownMembers: 'create' })
    const reason = '\u{1F4B0}'.repeat(500)
    const metadata = { x: 'y'.repeat(2_000) }
    const change = { tokens: 1, reason, reference: '\u{1F4B0}'.repeat(255), metadata }
    for (let done = 0; done < entryCount; done += 50) {
      const line = (index: number) => `PATCH /members/${1 + (index % 3)}/tokenBalance`
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          asRealm(made.app.url, realm, { line: line(index), body: change }),
        ),
      )
    }
  })

  describe('a page of a list', () => {
    it('of the journal ends at 1 MiB, and returns a cursor for the next one', async () => {
      const { key } = await keyOf('journal:read')
      const seen: string[] = []
      for (let after = '0'; seen.length < entryCount; ) {
        const { status, text, json } = await get(`/journal?limit=1000&cursor=${after}`, key)
        assert.equal(status, 200)
        assert.ok(Buffer.byteLength(text) < 1.1 * 1024 * 1024, `${text.length} characters`)
        assert.ok(json.data.length > 0)
        seen.push(...json.data.map(({ seq }: { seq: string }) => seq))
        after = json.data.at(-1).seq
        assert.equal(json.nextCursor, seen.length < entryCount ? after : null)
      }
      assert.deepEqual(
        seen,
        Array.from({ length: entryCount }, (_, index) => String(index + 1)),
      )
    })

    it('of a member’s history ends there too', async () => {
      const { key } = await keyOf('journal:read')
      const seen: string[] = []
      let pages = 0
      for (let next: string | null = ''; next !== null; pages += 1) {
        const { text, json }: Answer = await get(
          `/members/1/history?limit=1000${next && `&cursor=${next}`}`,
          key,
        )
        assert.ok(Buffer.byteLength(text) < 1.1 * 1024 * 1024, `${text.length} characters`)
        seen.push(...json.data.map(({ transactionId }: { transactionId: string }) => transactionId))
        next = json.nextCursor
      }
      assert.ok(pages > 1, 'one page')
      assert.equal(new Set(seen).size, 1_020)
    })
  })

  describe('429', () => {
    it('a key with 8 MiB of unread responses is rejected until they are read', async () => {
      const { key } = await keyOf('journal:read')
      const other = await keyOf('journal:read')
      const { refused, sockets } = await askUntilRefused('/journal?limit=1000', key, 8)
      assert.deepEqual([refused.json.code, refused.headers['retry-after']], ['rate_limited', '1'])
      assert.match(refused.json.detail, /too many unread responses/)
      assert.equal((await get('/journal?limit=1000', other.key)).status, 200, 'another key')
      for (const socket of sockets) socket.destroy()
      await soon(async () => (await get('/journal?limit=1000', key)).status === 200, 'refused for ever')
    })

    it('a response that the client aborted is not counted as unread', async () => {
      const { key } = await keyOf('journal:read')
      for (let round = 0; round < 20; round += 1) {
        const socket = await ask('/journal?limit=1000', key, 3)
        await sleep(5)
        socket.destroy()
        await sleep(50)
      }
      const path = '/journal?limit=1000'
      await soon(async () => (await get(path, key)).status === 200, 'refused for ever')
      assert.equal((await get(path, key)).status, 200)
    })

    it('a key that requests many long pages at once gets them in turn, parallel to other keys', async () => {
      const { key } = await keyOf('journal:read')
      const other = await keyOf('journal:read')
      const asked = Array.from({ length: 60 }, () => get('/journal?limit=1000', key))
      const answer = await get('/journal?limit=1000', other.key)
      assert.equal(answer.status, 200, 'another key')
      const answers = await Promise.all(asked)
      const refused = answers.filter(({ status }) => status === 429)
      assert.ok(refused.length > 30, `${refused.length} refused`)
      assert.ok(refused.every(({ headers }) => headers['retry-after'] === '1'))
      assert.ok(answers.filter(({ status }) => status === 200).length > 16)
    })

    it('a realm has at most two exports running', async () => {
      const { key } = await keyOf('journal:read')
      const { refused, sockets } = await askUntilRefused('/export/entries.csv', key)
      assert.ok(sockets.length >= 2)
      assert.deepEqual([refused.json.code, refused.headers['retry-after']], ['rate_limited', '5'])
      for (const socket of sockets) socket.destroy()
      await soon(async () => (await get('/export/entries.csv', key)).status === 200, 'refused for ever')
    })
  })

  describe('a running export', () => {
    it('is cut off when its key is revoked', async () => {
      const { id, key } = await keyOf('journal:read')
      const socket = await ask('/export/entries.csv', key)
      let bytes = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > 100_000) socket.pause()
      })
      socket.resume()
      await soon(async () => bytes > 100_000, 'nothing came')
      await asOperator(made, 'DELETE', { path: `/realms/${realm.id}/keys/${id}` })
      await sleep(1_200)
      let whole = ''
      socket.removeAllListeners('data')
      socket.on('data', (chunk) => {
        bytes += chunk.length
        whole += chunk.toString('latin1').slice(-10)
      })
      const closed = once(socket, 'close')
      socket.resume()
      await closed
      assert.ok(!whole.endsWith('0\r\n\r\n'), 'it ended as if it were complete')
      assert.ok(bytes < 12_000_000, `${bytes} bytes`)
    })
  })
})
