import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { type ManagedRealm, managed } from '../../tests/support/manager.ts'
import { assertProblem } from '../../tests/support/problem.ts'
import { suite } from '../../tests/support/suite.ts'
import { asSuperuser, ownerRole } from '../src/dev/prepare.ts'

/**
 * A failover to a standby that lacks the last writes, while the server keeps running: a copy of the database
 * replaces the one that was written to since.
 */
const made = suite()
let realm: ManagedRealm
const copies: string[] = []

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
function admin(): string {
  const url = new URL(made.database.superuserUrl)
  url.pathname = '/postgres'
  return url.href
}
const cut = (name: string) => [
  `alter database ${name} allow_connections false`,
  `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
]
const open = (name: string) => [`alter database ${name} allow_connections true`]

/** The standby, as it is now. */
async function copy(): Promise<string> {
  const name = nameOf(made.database.superuserUrl)
  const standby = `${name}_${randomBytes(3).toString('hex')}`
  const copied = `create database ${standby} template ${name} owner ${ownerRole}`
  await asSuperuser(admin(), [...cut(name), copied, ...open(name)])
  copies.push(standby)
  return standby
}

async function failOver(standby: string): Promise<void> {
  const name = nameOf(made.database.superuserUrl)
  await asSuperuser(admin(), [
    ...cut(name),
    `alter database ${name} rename to ${standby}_lost`,
    `alter database ${standby} rename to ${name}`,
  ])
  copies.push(`${standby}_lost`)
  for (let turn = 0; turn < 100; turn++) {
    await sleep(100)
    if ((await call('GET', `${made.app.url}/readyz`)).status === 200) return
  }
}

after(async () => {
  for (const name of copies) await asSuperuser(admin(), [`drop database if exists ${name} with (force)`])
})

beforeEach(async () => {
  realm = await managed(made, { unknownMembers: 'create' })
  for (const member of [1, 2, 3, 4, 5]) assert.equal((await award(member, 100)).status, 200)
})

const award = (member: number, tokens: number, realmPointId?: string) =>
  realm.send(`PATCH /members/${member}/tokenBalance`, { tokens, realmPointId })

async function board(period: string): Promise<string[]> {
  const { json } = await realm.send(`GET /leaderboard${period}`)
  return json.members.map(({ id, tokens }: { id: string; tokens: number }) => `${id}:${tokens}`)
}

describe('a server that keeps running through a failover that lost the last writes', () => {
  it('does not apply a lost configuration, even after as many new changes', async () => {
    const standby = await copy()
    assert.equal((await realm.send('POST /points', { id: 'gold' })).status, 201)
    assert.equal((await award(1, 7, 'gold')).status, 200)
    await failOver(standby)
    assert.equal((await realm.send('POST /points', { id: 'silver' })).status, 201)
    assertProblem(await award(2, 7, 'gold'), 404, 'point_not_found')
    assert.equal((await award(2, 3, 'silver')).json.newBalance, 3)
    await assertBooks(made.database)
  })

  it('ranks by the existing entries, even after as many new entries', async () => {
    const periods = ['', '?period=week']
    for (const period of periods) await board(period)
    const standby = await copy()
    assert.equal((await award(5, 900)).json.newBalance, 1_000)
    for (const period of periods) assert.equal((await board(period))[0], '5:1000')
    await failOver(standby)
    for (let turn = 0; turn < 6; turn++) assert.equal((await award(4, 50)).status, 200)
    const right = ['4:400', '1:100', '2:100', '3:100', '5:100']
    for (const period of periods) assert.deepEqual(await board(period), right, period)
  })

  it('ranks by the existing entries, even without new ones', async () => {
    const standby = await copy()
    assert.equal((await award(5, 900)).json.newBalance, 1_000)
    assert.equal((await board(''))[0], '5:1000')
    await failOver(standby)
    assert.deepEqual(await board(''), ['1:100', '2:100', '3:100', '4:100', '5:100'])
  })
})
