import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { freshDatabase, suite, type TestDatabase } from '../../../tests/support/suite.ts'
import { openDatabase } from '../../src/db/database.ts'
import { Exports } from '../../src/files/exports/index.ts'
import { loadRealm } from '../../src/files/imports/index.ts'
import { verify } from '../../src/ledger/journal/verify.ts'
import { textOf } from '../files/exports/books.ts'
import { tester } from '../ledger/books.ts'
import { Planter } from '../ledger/plant.ts'

/** What a merge leaves behind: undoing it, erasing its member, verifying and exporting its realm. */
let realm: ManagedRealm
let number: number
let there: TestDatabase | undefined
// Before those of the suite, which drop the database.
after(() => assertBooks(made.database))
after(() => there?.drop())
const made = suite({}, async (suited) => {
  realm = await managed(suited, { unknownMembers: 'create' })
  const text = 'select realm from realms where id = $1'
  number = (await rowsOf(suited.database.superuserUrl, text, [realm.id]))[0].realm
})

const read = async (id: string) => (await realm.send(`GET /members/${encodeURIComponent(id)}`)).json
const give = (id: string, tokens: number, more: object = {}) =>
  realm.send(`PATCH /members/${encodeURIComponent(id)}/tokenBalance`, { tokens, ...more })
const rows = (text: string) => rowsOf(made.database.superuserUrl, text, [number])

async function merged(to: string, from: string): Promise<string> {
  const { status, json, text } = await realm.send(`POST /members/${to}/merges`, { from, force: true })
  assert.equal(status, 201, text)
  return json.number
}
const undo = (merge: string, query = '') => realm.send(`POST /merges/${merge}/undo${query}`, {})

function assertEnded(
  { status, json }: { status: number; json: { code?: string; detail?: string } },
  why: RegExp,
) {
  assert.deepEqual([status, json.code], [409, 'merge_ended'])
  assert.match(json.detail ?? '', why)
}

describe('undoing a merge', () => {
  it('restores the member with its points, identities, wallets and flags', async () => {
    await give('100', 5)
    await give('101', 7)
    await realm.send('PUT /members/101', { hidden: true })
    await realm.send('PUT /members/101/identities/shop:101', {})
    await realm.send('POST /members/101/wallets', { address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' })
    const merge = await merged('100', '101')
    assert.equal((await read('100')).hidden, true)
    await give('100', 2)
    const dry = await undo(merge, '?dryRun=true')
    assert.deepEqual([dry.status, dry.json.dryRun, dry.json.points[0].tokens], [200, true, 7])
    assert.equal((await read('101')).id, '100')
    const undone = await undo(merge)
    assert.equal(undone.status, 200, undone.text)
    const [own, other] = [await read('100'), await read('101')]
    assert.deepEqual([own.tokenBalance, own.hidden], [7, false])
    assert.deepEqual([other.id, other.tokenBalance, other.hidden], ['101', 7, true])
    assert.equal((await read('shop:101')).id, '101')
    assert.equal((await realm.send('GET /members/101/wallets')).json.data.length, 1)
    assert.equal((await realm.send(`GET /merges/${merge}`)).json.undone, true)
    assert.equal((await give('101', 1)).json.newBalance, 8)
  })

  it('leaves what is not the survivor’s any more where it is', async () => {
    await realm.send('PUT /members/110', {})
    await realm.send('PUT /members/111/identities/x:1', {})
    for (const id of ['111', '112']) await realm.send(`PUT /members/${id}`, {})
    for (const name of ['keep:1', 'move:1']) await realm.send(`PUT /members/111/identities/${name}`, {})
    const merge = await merged('110', '111')
    await realm.send('DELETE /members/110/identities/move:1')
    await realm.send('PUT /members/112/identities/move:1', {})
    assert.equal((await undo(merge)).status, 200)
    assert.deepEqual([(await read('keep:1')).id, (await read('move:1')).id], ['111', '112'])
  })

  it('is rejected when the points were spent, and nothing changes', async () => {
    await give('120', 1)
    await give('121', 5)
    const merge = await merged('120', '121')
    await give('120', -3)
    assertProblem(await undo(merge), 422, 'insufficient_points')
    assert.deepEqual([(await read('121')).id, (await read('121')).tokenBalance], ['120', 3])
  })

  it('once: 404 for no merge, 409 for one that was undone', async () => {
    for (const id of ['130', '131']) await give(id, 1)
    const merge = await merged('130', '131')
    assert.equal((await undo(merge)).status, 200)
    assertEnded(await undo(merge), /undone already/)
    assertProblem(await undo('999'), 404, 'merge_not_found')
    const again = await merged('130', '131')
    assert.notEqual(again, merge)
    assert.equal((await undo(again)).status, 200)
  })

  it('in the reverse order: 409 while the survivor is merged itself', async () => {
    for (const id of ['140', '141', '142']) await give(id, 1)
    const first = await merged('141', '140')
    const second = await merged('142', '141')
    assertEnded(await undo(first), /undo that merge first/)
    assert.equal((await undo(second)).status, 200)
    assert.deepEqual([(await read('140')).id, (await read('142')).id], ['141', '142'])
    assert.equal((await undo(first)).status, 200)
    for (const id of ['140', '141', '142'])
      assert.deepEqual([(await read(id)).id, (await read(id)).tokenBalance], [id, 1])
  })

  it('needs realm:admin', async () => {
    for (const id of ['150', '151']) await give(id, 1)
    const merge = await merged('150', '151')
    const send = await realm.without('realm:admin')
    assertProblem(await send(`POST /merges/${merge}/undo`, {}), 403, 'insufficient_scope')
  })
})

describe('leaderboards and statistics', () => {
  const gains = async (): Promise<Record<string, number>> => {
    const { json } = await realm.send('GET /leaderboard?period=week&limit=1000')
    return Object.fromEntries(json.data.map((one: { id: string; tokens: number }) => [one.id, one.tokens]))
  }

  it('the survivor has both gains after a merge, and each its own after an undo', async () => {
    await give('200', 10)
    await give('201', 20)
    const before = await gains()
    assert.deepEqual([before['200'], before['201']], [10, 20])
    const merge = await merged('200', '201')
    const now = await gainsThat((seen) => seen['200'] === 30)
    assert.deepEqual([now['200'], now['201']], [30, undefined])
    await give('201', 5)
    assert.equal((await gains())['200'], 35)
    assert.equal((await undo(merge)).status, 200)
    const last = await gainsThat((seen) => seen['201'] !== undefined)
    assert.deepEqual([last['200'], last['201']], [15, 20])
  })

  /** Boards notice members that left within half a second. */
  async function gainsThat(isRight: (seen: Record<string, number>) => boolean) {
    const untilMs = Date.now() + 20_000
    for (let seen = await gains(); ; seen = await gains()) {
      if (isRight(seen) || Date.now() > untilMs) return seen
      await sleep(50)
    }
  }

  it('what is folded equals a fold of the journal, after merges and an undo', async () => {
    for (const id of ['210', '211', '212']) await give(id, 3)
    await merged('210', '211')
    await undo(await merged('210', '212'))
    await give('211', 1)
    const { statistics, close } = await standings()
    try {
      assert.deepEqual(await statistics(), { ok: true })
    } finally {
      await close()
    }
  })

  async function standings() {
    const { Standings } = await import('../../src/leaderboards/index.ts')
    const { Configs } = await import('../../src/realms/index.ts')
    const db = openDatabase(made.database.serverUrl)
    const onFault = (error: unknown) => assert.fail(String(error))
    const own = new Standings({ db, configs: new Configs(), everyMs: 0, onFault })
    const statistics = async () => {
      await own.statistics(number, {})
      const verdict = await own.check(number)
      return verdict.ok ? { ok: true } : verdict
    }
    const close = async () => {
      await own.close()
      await db.close()
    }
    return { statistics, close }
  }
})

describe('verify', () => {
  it('finds a merged account that moves again or has points, and entries of no merge', async () => {
    await give('300', 4)
    await give('301', 4)
    await merged('300', '301')
    await give('302', 4)
    const planter = await Planter.open(made.database.superuserUrl, number)
    const last = '(select max(number) from merges where realm = $1)'
    const plant = async (text: string) => {
      const verdict = await planter.planted(
        () => planter.change(text),
        () => planter.verify(),
      )
      assert.ok(!verdict.ok, text)
      return `${verdict.where}: ${verdict.why}`
    }
    const account = `(select account from members where realm = $1 and id = 302)`
    try {
      // As if the member that got points last had been merged before.
      assert.match(
        await plant(
          `update merges set from_account = ${account}, entries = 0 where realm = $1 and number = ${last}`,
        ),
        /^merge \d+: entry \d+ moves points of account \d+, which was merged before$/,
      )
      assert.match(
        await plant(
          `update merges set from_account = ${account}, entries = 0,
            after_seq = (select seq from heads where realm = $1) where realm = $1 and number = ${last}`,
        ),
        /^merge \d+: account \d+ has points, but was merged$/,
      )
      assert.match(
        await plant(`update merges set entries = entries + 1 where realm = $1 and number = ${last}`),
        /^merge \d+: it has 2 entries, but the journal has 1 of it$/,
      )
      const { ok } = await planter.verify()
      assert.ok(ok)
    } finally {
      await planter.close()
    }
  })
})

describe('an exported realm', () => {
  it('is loaded with its merges, verifies, and answers old ids', async () => {
    there = await freshDatabase()
    const db = openDatabase(made.database.serverUrl)
    const other = openDatabase(there.serverUrl)
    try {
      const text = await textOf((await new Exports(db).ndjson(number)).chunks)
      assert.match(text, /^\{"merge":/m)
      const { counts, show, close } = await loadRealm([text] as never, { db: other, by: tester })
      await show()
      await close()
      assert.ok((counts.merges ?? 0) > 0)
      const [{ realm: loaded }] = await rowsOf(there.superuserUrl, 'select realm from realms where id = $1', [
        realm.id,
      ])
      const verdict = await verify(other, { realm: loaded })
      assert.ok(verdict.ok)
      const all = (table: string, order: string) =>
        `select to_jsonb(t) - 'realm' as row from ${table} t where t.realm = $1 order by ${order}`
      for (const [table, order] of [
        ['merges', 'number'],
        ['identities', 'provider, subject'],
        ['wallets', 'match'],
      ] as const) {
        const own: object[] = await rows(all(table, order))
        const copy: object[] = await rowsOf(there.superuserUrl, all(table, order), [loaded])
        assert.ok(own.length > 0)
        assert.deepEqual(copy, own)
      }
    } finally {
      await other.close()
      await db.close()
    }
  })
})

describe('erasing a member', () => {
  it('covers merged accounts, their ids as actorId, identities and old ids; only numbers stay', async () => {
    await give('400', 2, { reason: 'own secret' })
    await give('401', 2, { reason: 'merged secret' })
    await realm.send('PUT /members/401/identities/secret:401', {})
    await give('402', 1, { reason: 'acted secret', actorId: '401' })
    const merge = await merged('400', '401')
    await give('400', -4, { reason: 'last secret' })
    const erased = await realm.send('POST /members/401/erasure', {})
    assert.equal(erased.status, 200, erased.text)
    const left = await rows(`select reason from details where realm = $1 and reason like '%secret'`)
    assert.deepEqual(left, [])
    assert.deepEqual(
      await rows(
        `select subject from identities where realm = $1 and subject in ('401') or subject = 'secret:401'`,
      ),
      [],
    )
    const [{ moved }] = await rows(`select moved from merges where realm = $1 and number = ${merge}`)
    assert.deepEqual(moved, {})
    assertEnded(await undo(merge), /the member was removed/)
    assert.equal((await give('401', 3)).json.newBalance, 3)
    assert.equal((await read('401')).id, '401')
  })
})
