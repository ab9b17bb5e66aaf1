import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { Operator, Realm } from '../src/index.ts'

let realm: Realm
let key: string
const made = suite(
  {},
  async ({
    app: { url },
    fixture: {
      realm: { id },
    },
  }) => {
    const operator = new Operator({ url, token: operatorToken })
    key = (
      await operator.realm(id).keys.issue({ name: 'follower', scopes: ['journal:read', 'points:write'] })
    ).key
    realm = new Realm({ url, realm: id, key })
  },
)

const all = (list: AsyncIterable<unknown>) => Array.fromAsync(list)

describe('a journal', () => {
  it('is followed from its head on, until the caller aborts', async () => {
    const { seq } = await realm.head()
    const gaveUp = new AbortController()
    const follow = realm.follow({ cursor: seq, everyMs: 20, signal: gaveUp.signal })
    const next = follow.next()
    await realm.member(rich).adjust(1)
    assert.equal((await next).value?.seq, String(BigInt(seq) + 1n))
    const waiting = follow.next()
    gaveUp.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
  })

  it('is followed through an outage without a gap; a rejection or an abort ends it', async () => {
    let away: (() => Response) | undefined
    const through: typeof fetch = async (input, init) => (away ? away() : fetch(input, init))
    const follower = new Realm({ url: made.app.url, realm: realm.id, key, retries: 0, fetch: through })
    const gaveUp = new AbortController()
    const { seq } = await follower.head()
    const options = { cursor: seq, everyMs: 20, signal: gaveUp.signal }
    const seqs: string[] = []
    const following = (async () => {
      for await (const entry of follower.follow(options)) seqs.push(entry.seq)
    })()
    const seen = async (count: number) => {
      for (let tries = 0; seqs.length < count && tries < 200; tries++) await sleep(20)
      assert.deepEqual(
        seqs,
        Array.from({ length: count }, (_, index) => String(BigInt(seq) + BigInt(index) + 1n)),
      )
    }
    const problem = (status: number) => () => new Response('{}', { status })
    const lost = () => {
      throw new TypeError('no route')
    }
    await realm.member(rich).adjust(1)
    await seen(1)
    for (const [index, outage] of [lost, problem(503), problem(429)].entries()) {
      away = outage
      await realm.member(rich).adjust(1)
      await sleep(100)
      away = undefined
      await seen(index + 2)
    }
    away = lost
    await sleep(50)
    gaveUp.abort()
    await assert.rejects(following, { name: 'AbortError' })
    away = problem(403)
    await assert.rejects(all(follower.follow({ cursor: seq, everyMs: 20 })), { status: 403 })
    away = lost
    await assert.rejects(all(follower.journal({ cursor: seq })), { code: 'no_answer' })
  })
})
