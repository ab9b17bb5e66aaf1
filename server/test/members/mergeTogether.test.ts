import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { App } from '../../src/app/index.ts'
import { scopes } from '../../src/keys/index.ts'

/** Merges while two servers on one database write. */
const anotherApp = moreApps()
let realm: ManagedRealm
let access: { id: string; key: string }
// Before those of the suite, which drop the database.
after(() => assertBooks(made.database))
const made = suite({}, async (suited) => {
  realm = await managed(suited, { unknownMembers: 'create' })
  access = { id: realm.id, key: (await realm.send('POST /keys', { scopes })).json.key }
})

type Sent = { readonly body?: object; readonly key?: string }

const on = (app: App, line: string, { body, key }: Sent = {}) =>
  asRealm(app.url, access, { line, body, headers: key === undefined ? {} : { 'idempotency-key': key } })

/** Until it has an outcome: the machine may be slow. */
async function surely(app: App, line: string, sent: Sent = {}) {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await on(app, line, sent)
    if ((answer.status !== 503 && answer.json?.code !== 'request_in_progress') || attempt > 50) return answer
  }
}

const balance = async (app: App, id: string) => (await surely(app, `GET /members/${id}`)).json

describe('under load on two servers', () => {
  it('no point is lost or doubled, the old id resolves, and an undo restores both', async () => {
    const apps = [made.app, await anotherApp(made)] as const
    for (const id of ['1', '2'])
      await surely(made.app, `PATCH /members/${id}/tokenBalance`, { body: { tokens: 1000 } })
    let sum = 2000
    let isOver = false
    const writer = async (app: App, name: string) => {
      for (let n = 0; !isOver; n += 1) {
        const id = n % 2 === 0 ? '1' : '2'
        const tokens = n % 5 === 0 ? -1 : 2
        const line = `PATCH /members/${id}/tokenBalance`
        const { status, text } = await surely(app, line, { body: { tokens }, key: `${name}-${n}` })
        assert.equal(status, 200, text)
        sum += tokens
      }
    }
    const writers = apps.flatMap((app, index) => [writer(app, `a${index}`), writer(app, `b${index}`)])
    const merges: string[] = []
    for (let round = 0; round < 3; round += 1) {
      const app = apps[round % 2] ?? made.app
      const merged = await surely(app, 'POST /members/1/merges', {
        body: { from: '2', force: true },
        key: `merge-${round}`,
      })
      assert.equal(merged.status, 201, merged.text)
      merges.push(merged.json.number)
      for (const one of apps) assert.equal((await balance(one, '2')).id, '1')
      const undone = await surely(app, `POST /merges/${merged.json.number}/undo`, {
        body: {},
        key: `undo-${round}`,
      })
      assert.equal(undone.status, 200, undone.text)
      for (const one of apps) assert.equal((await balance(one, '2')).id, '2')
    }
    isOver = true
    await Promise.all(writers)
    const [own, other] = [await balance(made.app, '1'), await balance(made.app, '2')]
    assert.equal(own.tokenBalance + other.tokenBalance, sum)
    assert.equal(new Set(merges).size, 3)
  })

  it('of two merges at once one wins', async () => {
    const apps = [made.app, await anotherApp(made)] as const
    for (const id of ['11', '12', '13'])
      await surely(made.app, `PATCH /members/${id}/tokenBalance`, { body: { tokens: 10 } })
    const answers = await Promise.all([
      surely(apps[0], 'POST /members/12/merges', { body: { from: '11', force: true }, key: 'race-1' }),
      surely(apps[1], 'POST /members/13/merges', { body: { from: '11', force: true }, key: 'race-2' }),
    ])
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, 409], JSON.stringify(answers.map(({ json }) => json)))
    const winner = answers.find(({ status }) => status === 201)?.json.memberId
    assert.equal((await balance(made.app, '11')).id, winner)
    const crossed = await Promise.all([
      surely(apps[0], 'POST /members/12/merges', { body: { from: '13', force: true }, key: 'race-3' }),
      surely(apps[1], 'POST /members/13/merges', { body: { from: '12', force: true }, key: 'race-4' }),
    ])
    assert.deepEqual(
      crossed.map(({ status }) => status).sort((a, b) => a - b),
      [201, 422],
    )
    const total = await balance(apps[1], '11')
    assert.equal(total.tokenBalance, 30)
  })

  it('a server that has both members in memory sees the merge with its next write', async () => {
    const other = await anotherApp(made)
    for (const id of ['21', '22'])
      for (let n = 0; n < 3; n += 1)
        assert.equal(
          (await surely(other, `PATCH /members/${id}/tokenBalance`, { body: { tokens: 1 } })).status,
          200,
        )
    const merged = await surely(made.app, 'POST /members/21/merges', {
      body: { from: '22', force: true },
      key: 'memory',
    })
    assert.equal(merged.status, 201, merged.text)
    assert.equal(
      (await surely(other, 'PATCH /members/22/tokenBalance', { body: { tokens: 1 } })).json.newBalance,
      7,
    )
  })
})
