import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { poor } from '../../../tests/support/fixture.ts'
import { sendMany } from '../../../tests/support/manyRequests.ts'
import { suite } from '../../../tests/support/suite.ts'
import { head } from '../../../tests/support/wire.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { Members } from '../../src/members/index.ts'
import { Configs, Realms } from '../../src/realms/index.ts'

/**
 * What a request costs, counted instead of timed: a slower machine gives the same numbers. A server on
 * `node:http` that does nothing is measured in the same way and subtracted.
 */
const made = suite({ REALM_RATE: 'off', KEY_RATE: 'off' })
const connections = 32
const count = 4_000

const nothing = createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-length': 2 }).end('{}')
})
let nothingUrl = ''
before(async () => {
  nothing.listen(0, '127.0.0.1')
  await once(nothing, 'listening')
  nothingUrl = `http://127.0.0.1:${(nothing.address() as AddressInfo).port}`
})
after(() => {
  nothing.close()
  nothing.closeAllConnections()
})

const read = () => {
  const { id, key } = made.fixture.realm
  return head(`GET /api/v4/realms/${id}/members/${poor}`, { authorization: `Bearer ${key}` })
}
const change = () => {
  const { id, key } = made.fixture.realm
  const body = '{"tokens":1}'
  const headers = { authorization: `Bearer ${key}`, 'content-length': String(body.length) }
  const line = `PATCH /api/v4/realms/${id}/members/${poor}/tokenBalance`
  return `${head(line, { ...headers, 'idempotency-key': `cost-${round++}-%n` })}${body}`
}
let round = 0

type Counts = { readonly promises: number; readonly timers: number }

/** Promises and timers made while these requests are answered, for each. */
async function countsOf(url: string, request: () => string): Promise<Counts> {
  await sendMany({ url, request: request(), count: 500, connections })
  let promises = 0
  let timers = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'PROMISE') promises += 1
      if (type === 'Timeout') timers += 1
    },
  }).enable()
  await sendMany({ url, request: request(), count, connections })
  hook.disable()
  return { promises: promises / count, timers: timers / count }
}

async function addedBy(request: () => string): Promise<Counts> {
  const bare = await countsOf(nothingUrl, request)
  const own = await countsOf(made.app.url, request)
  return { promises: own.promises - bare.promises, timers: own.timers - bare.timers }
}

const show = ({ promises, timers }: Counts): string =>
  `${promises.toFixed(1)} promises, ${timers.toFixed(2)} timers`

describe('a read of a member', () => {
  it('makes at most 10 promises, and a timer only with many others', async () => {
    const added = await addedBy(read)
    console.log(`a read: ${show(added)}`)
    assert.ok(added.promises <= 10 && added.timers <= 1, show(added))
  })
})

it('all waiting reads are one statement', async () => {
  const names: string[] = []
  const db = openDatabase(made.database.serverUrl)
  try {
    const counted: Database = {
      ...db,
      within: (realms) => {
        const own = db.within(realms)
        return {
          query(statement, values) {
            names.push(statement.name)
            return own.query(statement, values)
          },
        }
      },
    }
    const members = new Members(counted, new Configs())
    const realm = await new Realms(db).number(made.fixture.realm.id)
    const readAll = () => Promise.all(Array.from({ length: 100 }, () => members.get(realm, poor)))
    await readAll()
    assert.deepEqual(names, ['members_read', 'realms_read_configs'])
    names.length = 0
    await readAll()
    assert.deepEqual(names, ['members_read'])
  } finally {
    await db.close()
  }
})

describe('a change', () => {
  it('makes at most 20 promises, and a timer only with many others', async () => {
    const added = await addedBy(change)
    console.log(`a change: ${show(added)}`)
    assert.ok(added.promises <= 20 && added.timers <= 1, show(added))
  })
})
