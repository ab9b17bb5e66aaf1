import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freshDatabase, type TestDatabase } from '../../../tests/support/suite.ts'
import { RefusalError } from '../../src/errors.ts'
import { type Books, openBooks } from './books.ts'
import { changeCommand } from './commands.ts'

let database: TestDatabase
let books: Books
let realm: number
let holder: pg.Client
before(async () => {
  database = await freshDatabase()
  books = openBooks(database.serverUrl)
  realm = await books.make({ open: true, points: ['gold'], members: [] })
  holder = new pg.Client({ connectionString: database.superuserUrl })
  await holder.connect()
})
after(async () => {
  await holder.end()
  await books.close()
  await database.drop()
})

async function post(id: string): Promise<string> {
  try {
    return (await books.ledger.post(changeCommand(realm, { id, member: '1', tokens: 1n }))).kind
  } catch (error) {
    assert.ok(error instanceof RefusalError, String(error))
    assert.equal(error.refusal.headers?.['retry-after'], '1')
    return error.refusal.code
  }
}

type Scene = {
  readonly late: string
  readonly lateMs: number
  readonly served: string[]
  readonly ms: number
}

/** A lock is held on the realm for 1.2 s, and four changes are requested meanwhile. */
async function play(): Promise<Scene> {
  await holder.query('begin')
  await holder.query('select from exchequer.heads for update')
  const startMs = performance.now()
  const first = post('being tried')
  await sleep(100)
  const second = post('first in the queue')
  await sleep(900)
  const third = post('in time')
  await sleep(200)
  const askedMs = performance.now()
  const late = await post('too late')
  const lateMs = performance.now() - askedMs
  await holder.query('commit')
  const ms = performance.now() - startMs
  return { late, lateMs, served: await Promise.all([first, second, third]), ms }
}

/** On a stalled machine the four arrive too late: such a run is discarded. */
async function playInTime(): Promise<Scene> {
  for (let attempt = 1; ; attempt += 1) {
    const scene = await play()
    if (scene.ms < 1_300 || attempt === 10) return scene
  }
}

it('a change that arrives when the first has waited a second gets 503; waiting ones succeed', async () => {
  const { late, lateMs, served } = await playInTime()
  assert.equal(late, 'overloaded')
  assert.ok(lateMs < 50, `${lateMs} ms`)
  assert.deepEqual(served, ['done', 'done', 'done'])
  assert.equal(await post('after that'), 'done')
})
