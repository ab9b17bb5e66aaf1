import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { App } from '../../src/app/index.ts'
import { moreApps } from '../../../tests/support/apps.ts'
import { assertBooks } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { suite } from '../../../tests/support/suite.ts'
import { scopes } from '../../src/keys/index.ts'

/** Merges while two servers on one database write. */
const anotherApp = moreApps()
let realm: ManagedRealm
let access: { id: string; key: string }
const made = suite({}, async (suited) => {
  realm = await managed(suited, { unknownMembers: 'create' })
  access = { id: realm.id, key: (await realm.send('POST /keys', { scopes })).json.key }
})
after(() => assertBooks(made.database))

const on = (app: App, line: string, body?: object, headers: Record<string, string> = {}) =>
  asRealm(app.url, access, { line, body, headers })

/** Until it has an outcome: the machine may be slow. */
async function surely(app: App, line: string, body?: object, key?: string) {
  for (let attempt = 0; ; attempt += 1) {
    const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await on(app, line, body, headers)
    if ((answer.status !== 503 && answer.json?.code !== 'request_in_progress') || attempt > 50) return answer
  }
}

const balance = async (app: App, id: string) => (await surely(app, `GET /members/${id}`)).json

describe('under load on two servers', () => {
  it('no point is lost or doubled, the old id resolves, and an undo restores both', async () => {
    const apps = [made.app, await anotherApp(made)] as const
    for (const id of ['1', '2']) await surely(made.app, `PATCH /members/${id}/tokenBalance`, { tokens: 1000 })
    let sum = 2000
    let isOver = false
    const writer = async (app: App, name: string) => {
      for (let n = 0; !isOver; n += 1) {
        const id = n % 2 === 0 ? '1' : '2'
        const tokens = n % 5 === 0 ? -1 : 2
        const line = `PATCH /members/${id}/tokenBalance`
        const { status, text } = await surely(app, line, { tokens }, `${name}-${n}`)
        assert.equal(status, 200, text)
        sum += tokens
      }
    }
    const writers = apps.flatMap((app, index) => [writer(app, `a${index}`), writer(app, `b${index}`)])
    const merges: string[] = []
    for (let round = 0; round < 3; round += 1) {
      const app = apps[round % 2] ?? made.app
      const merged = await surely(app, 'POST /members/1/merges', { from: '2', force: true }, `merge-${round}`)
      assert.equal(merged.status, 201, merged.text)
      merges.push(merged.json.number)
      for (const one of apps) assert.equal((await balance(one, '2')).id, '1')
      const undone = await surely(app, `POST /merges/${merged.json.number}/undo`, {}, `undo-${round}`)
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
      await surely(made.app, `PATCH /members/${id}/tokenBalance`, { tokens: 10 })
    const answers = await Promise.all([
      on(apps[0], 'POST /members/12/merges', { from: '11', force: true }),
      on(apps[1], 'POST /members/13/merges', { from: '11', force: true }),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [201, 409], JSON.stringify(answers.map(({ json }) => json)))
    const winner = answers.find(({ status }) => status === 201)?.json.memberId
    assert.equal((await balance(made.app, '11')).id, winner)
    const crossed = await Promise.all([
      on(apps[0], 'POST /members/12/merges', { from: '13', force: true }),
      on(apps[1], 'POST /members/13/merges', { from: '12', force: true }),
    ])
    assert.deepEqual(crossed.map(({ status }) => status).sort(), [201, 422])
    const total = await balance(apps[1], '11')
    assert.equal(total.tokenBalance, 30)
  })

  it('a server that has both members in memory sees the merge with its next write', async () => {
    const other = await anotherApp(made)
    for (const id of ['21', '22'])
      for (let n = 0; n < 3; n += 1)
        assert.equal((await surely(other, `PATCH /members/${id}/tokenBalance`, { tokens: 1 })).status, 200)
    const merged = await surely(made.app, 'POST /members/21/merges', { from: '22', force: true }, 'memory')
    assert.equal(merged.status, 201, merged.text)
    assert.equal((await surely(other, 'PATCH /members/22/tokenBalance', { tokens: 1 })).json.newBalance, 7)
  })
})
