import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type Answer, call } from '../../../tests/support/call.ts'
import { FakeChain } from '../../../tests/support/fakeChain.ts'
import { operate } from '../../../tests/support/operator.ts'
import { environment, type ServerProcess, startServerProcess } from '../../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { documented } from '../../src/http/routes.ts'
import { scopes } from '../../src/keys/index.ts'

/** The same key sent concurrently to two processes on one database: one change, and equal responses. */

const realm = 'two'
const token = `0x${'b'.repeat(40)}`
const node = await FakeChain.start()
let database: TestDatabase
let key = ''
const servers: ServerProcess[] = []

const ask = (server: number, line: string, { body, retry }: { body?: object; retry?: string } = {}) => {
  const [method = '', path = ''] = line.split(' ')
  return call(method, `${servers[server]?.baseUrl}/api/v4/realms/${realm}${path}`, {
    key,
    ...(body ? { body } : {}),
    ...(retry === undefined ? {} : { headers: { 'idempotency-key': retry } }),
  })
}
const done = async (line: string, body?: object) => {
  const answer = await ask(0, line, body ? { body } : {})
  assert.ok(answer.status < 300, answer.text)
  return answer.json
}

before(async () => {
  database = await freshDatabase()
  const env = environment(database, { CHAINS: `${node.id}=${node.url}`, HOLDINGS_EVERY_SECONDS: '1' })
  servers.push(...(await Promise.all([1, 2].map(() => startServerProcess(env)))))
  const url = servers[0]?.baseUrl ?? ''
  await operate(url, 'POST /realms', { id: realm })
  key = (await operate(url, `POST /realms/${realm}/keys`, { scopes })).json.key
  await done('POST /members', { members: [{ id: '1' }, { id: '2' }] })
  await done('PATCH /members/1/tokenBalance', { tokens: 1_000 })
})
after(async () => {
  for (const server of servers) await server.stop()
  node.close()
  await database?.drop()
})

const entriesNow = async () =>
  Number((await rowsOf(database.superuserUrl, 'select count(*) from journal'))[0]?.['count'])

type Made = { readonly path: string; readonly body?: object; readonly entries: number }

/** The set-up of each route, and how many entries it writes. */
const changes: Readonly<Record<string, () => Promise<Made>>> = {
  'PATCH /members/{memberID}/tokenBalance': async () => ({
    path: '/members/1/tokenBalance',
    body: { tokens: 5 },
    entries: 1,
  }),
  'PATCH /members/{memberID}/transfer': async () => ({
    path: '/members/1/transfer',
    body: { tokens: 5, recipientId: '2' },
    entries: 1,
  }),
  'PATCH /members/tokenBalance': async () => ({
    path: '/members/tokenBalance',
    body: { entries: ['1', '2', '1'].map((memberId) => ({ memberId, tokens: 1 })) },
    entries: 3,
  }),
  'POST /changes': async () => ({
    path: '/changes',
    body: { changes: ['1', '2', '1'].map((memberId) => ({ memberId, tokens: 1 })) },
    entries: 3,
  }),
  'POST /members/{memberID}/holds': async () => ({
    path: '/members/1/holds',
    body: { tokens: 5 },
    entries: 1,
  }),
  'POST /holds/{holdID}/capture': async () => {
    const { holdId } = await done('POST /members/1/holds', { tokens: 5 })
    return { path: `/holds/${holdId}/capture`, body: { tokens: 3 }, entries: 2 }
  },
  'POST /holds/{holdID}/release': async () => {
    const { holdId } = await done('POST /members/1/holds', { tokens: 5 })
    return { path: `/holds/${holdId}/release`, entries: 1 }
  },
  'POST /members/{memberID}/awards': async () => ({
    path: '/members/1/awards',
    body: { tokens: 5 },
    entries: 1,
  }),
  'POST /awards/{awardID}/grant': async () => {
    const { awardId } = await done('POST /members/1/awards', { tokens: 5 })
    return { path: `/awards/${awardId}/grant`, entries: 1 }
  },
  'POST /awards/{awardID}/cancel': async () => {
    const { awardId } = await done('POST /members/1/awards', { tokens: 5 })
    return { path: `/awards/${awardId}/cancel`, entries: 1 }
  },
  'POST /entries/{transactionID}/reverse': async () => {
    const { transactionId } = await done('PATCH /members/1/tokenBalance', { tokens: 5 })
    return { path: `/entries/${transactionId}/reverse`, entries: 1 }
  },
  'POST /reversals': async () => {
    const reference = `undo ${Math.random()}`
    for (const memberId of ['1', '2'])
      await done(`PATCH /members/${memberId}/tokenBalance`, { tokens: 5, reference })
    return { path: '/reversals', body: { filter: { reference } }, entries: 2 }
  },
  'POST /web3/awards': async () => {
    await proveWallets()
    return {
      path: '/web3/awards',
      body: { collection: 'coin', atLeast: '5', tokens: 10, block: '1' },
      entries: 2,
    }
  },
}

async function proveWallets(): Promise<void> {
  await rowsOf(
    database.superuserUrl,
    `insert into wallets (realm, match, account, address, chain, verified_at)
      select realm, a.text, account, a.text, 'eip155', now() from members
      cross join lateral (select '0x' || left(encode(sha256(id::text::bytea), 'hex'), 40)) a (text)
      on conflict do nothing`,
  )
  node.amounts.set(token, 5n)
  await done('PUT /web3/collections/coin', { chain: node.id, standard: 'erc20', address: token })
  for (let tries = 0; tries < 200; tries++) {
    const body = { collection: 'coin', atLeast: '5', tokens: 1 }
    const { json } = await ask(0, 'POST /web3/awards?dryRun=true', { body })
    if (json.awarded === 2) return
    await sleep(50)
  }
  assert.fail('the chain was not read')
}

/** Without the replay header; the next cursor of awards is computed again. */
const meant = ({ text }: Answer): object =>
  JSON.parse(text, (name, value) => (['replayed', 'at', 'nextCursor'].includes(name) ? undefined : value))

const rounds = 5

describe('the same Idempotency-Key at two processes at once', () => {
  it('is tested on every route that changes points', () => {
    const routes = documented.filter(({ idempotent }) => idempotent === 'journal' || idempotent === 'list')
    const titles = routes.flatMap(({ methods, path }) =>
      methods.map((method) => `${method} ${path.split('{realmID}')[1]}`),
    )
    assert.deepEqual(titles.sort(), Object.keys(changes).sort())
  })

  for (const [title, prepare] of Object.entries(changes))
    it(`${title} is one change, with equal responses`, async () => {
      const [method = ''] = title.split(' ')
      for (let round = 0; round < rounds; round++) {
        const { path, body, entries } = await prepare()
        const before = await entriesNow()
        const retry = `${title}-${round}`.replaceAll(' ', '-')
        const send = (server: number) =>
          ask(server, `${method} ${path}`, { retry, ...(body ? { body } : {}) })
        const [first, second] = await Promise.all([send(round % 2), send(1 - (round % 2))])
        for (const { status, text } of [first, second]) assert.ok(status < 300, text)
        assert.equal(first.status, second.status)
        assert.deepEqual(meant(first), meant(second))
        assert.equal(await entriesNow(), before + entries)
      }
    })

  it('the ledger verifies afterwards', () => assertBooks(database))
})
