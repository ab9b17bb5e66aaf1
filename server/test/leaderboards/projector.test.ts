import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { environment, runCommand } from '../../../tests/support/process.ts'
import { statements } from '../../src/leaderboards/boardStore.ts'
import { openScene, type SceneOfStandings } from './scene.ts'

let scene: SceneOfStandings
const people = Array.from({ length: 20 }, (_, index) => String(index + 1))

before(async () => {
  scene = await openScene({ everyMs: 50 })
})
after(async () => {
  assert.deepEqual(scene?.faults, [])
  await scene?.close()
})

/** Changes of all types, some concurrent. */
async function play(realm: number, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const given = await Promise.all(people.map((person) => scene.add(realm, person, 10n)))
    await Promise.all([
      scene.post({ kind: 'transfer', realm, member: '1', recipient: '2', tokens: 3n }),
      scene.add(realm, '3', -4n),
      scene.post({ kind: 'reverse', realm, entry: given[5] ?? 0n }),
      scene.post({ kind: 'hold', realm, member: '4', tokens: 2n, forUs: 3_600_000_000n }),
    ])
  }
}

const seqKept = async (realm: number) =>
  (await rowsOf(scene.database.superuserUrl, 'select seq from standings where realm = $1', [realm]))[0]?.seq

describe('leaderboard tables', () => {
  it('follow writes within a second, once they were requested', async () => {
    const { number: realm } = await scene.make(people)
    await scene.board(realm)
    const seq = await scene.add(realm, '1', 5n)
    for (const deadlineMs = Date.now() + 1_000; (await seqKept(realm)) !== String(seq); await sleep(20))
      assert.ok(Date.now() < deadlineMs, 'not within a second')
  })

  it('equal a rebuild from the journal, and a rebuild leaves no old rows', async () => {
    const { number: realm, id } = await scene.make(people)
    await play(realm, 5)
    await scene.standings.statistics(realm, {})
    const kept = () =>
      rowsOf(
        scene.database.superuserUrl,
        `select 'gain', point, day, account, gained::text from gains where realm = $1
          union all select 'daily', point, day, kind,
            concat_ws(' ', entries, amount, issued, spent, held) from daily where realm = $1
          union all select 'supply', point, 0, 0, concat_ws(' ', issued, spent, held)
            from supply where realm = $1
          union all select 'active', 0, day, account, '' from activity where realm = $1
          union all select 'days', 0, day, 0, active || ' ' || latest from active_days where realm = $1
          order by 1, 2, 3, 4`,
        [realm],
      )
    const before = await kept()
    assert.ok(before.length > 40)
    await scene.standings.rebuild(realm)
    assert.deepEqual(await kept(), before)
    const { code, out } = await runCommand(
      ['leaderboards', 'rebuild', '--realm', id],
      environment(scene.database),
    )
    assert.deepEqual([code, out], [0, `${id}: leaderboards equal, at 120\n`])
    assert.deepEqual(await kept(), before)
  })

  it('of an older release are folded again, as they lack columns', async () => {
    const { number: realm } = await scene.make(people)
    await play(realm, 1)
    const { days } = await scene.standings.statistics(realm, {})
    const spoil = 'with d as (update daily set issued = 0, spent = 0 where realm = $1) '
    await rowsOf(scene.database.superuserUrl, `${spoil} update standings set form = 1 where realm = $1`, [
      realm,
    ])
    assert.deepEqual((await scene.standings.statistics(realm, {})).days, days)
    assert.equal((await scene.standings.check(realm)).ok, true)
  })

  it('are folded once by many concurrent processes', async () => {
    const { number: realm } = await scene.make(people)
    const others = [scene.open(20), scene.open(20), scene.open(20)]
    const playing = play(realm, 10)
    while ((await Promise.race([playing, sleep(1, 'more')])) === 'more')
      await Promise.all(others.map((other) => other.statistics(realm, {})))
    await Promise.all(others.map((other) => other.statistics(realm, {})))
    assert.deepEqual(await scene.standings.check(realm), { ok: true, seq: 240n })
    await Promise.all(others.map((other) => other.close()))
  })

  it('of many realms are folded together, each to its end', async () => {
    const still = await openScene()
    const following = still.open(20)
    const three = people.slice(0, 3)
    const realms = await Promise.all(Array.from({ length: 30 }, () => still.make(three)))
    const numbers = realms.map(({ number }) => number)
    await Promise.all(numbers.flatMap((realm) => three.map((one) => still.add(realm, one, 5n))))
    for (const realm of numbers) for (let write = 0; write < 64; write++) following.written(realm)
    for (const deadlineMs = Date.now() + 5_000; following.due().realms > 0; await sleep(20))
      assert.ok(Date.now() < deadlineMs, 'not within five seconds')
    for (const realm of numbers) assert.deepEqual(await following.check(realm), { ok: true, seq: 3n })
    const text = 'select count(distinct xmin::text)::int as writers from standings'
    const [row] = await rowsOf(still.database.superuserUrl, text)
    assert.equal(row?.writers, 1)
    await following.close()
    await still.close()
  })

  it('of a realm that was purged are not due for ever', async () => {
    const following = scene.open(20)
    for (let write = 0; write < 64; write++) following.written(2_000_000_000)
    assert.equal(following.due().realms, 1)
    for (const deadlineMs = Date.now() + 5_000; following.due().realms > 0; await sleep(20))
      assert.ok(Date.now() < deadlineMs, 'still due after five seconds')
    await following.close()
  })

  it('of a realm that can’t be folded delay no others', async () => {
    const [broken, other] = [await scene.make(people), await scene.make(people)]
    for (const { number } of [broken, other]) {
      await scene.board(number)
      await scene.add(number, '1', 5n)
      while ((await seqKept(number)) !== '1') await sleep(20)
    }
    const move = (seq: number) =>
      rowsOf(scene.database.superuserUrl, 'update standings set seq = $2 where realm = $1', [
        broken.number,
        seq,
      ])
    await move(-5)
    await Promise.all([scene.add(broken.number, '1', 5n), scene.add(other.number, '1', 5n)])
    for (const deadlineMs = Date.now() + 20_000; (await seqKept(other.number)) !== '2'; await sleep(20))
      assert.ok(Date.now() < deadlineMs, 'the other realm waits')
    assert.match(
      String(scene.faults.splice(0)[0]),
      /entries -4 to -3 of realm \d+ were not read in their order/,
    )
    await move(1)
    while ((await seqKept(broken.number)) !== '2') await sleep(20)
    scene.faults.length = 0
  })

  it('that are wrong are detected: a sum, an additional row, a missing row', async () => {
    const { number: realm, id } = await scene.make(people)
    await play(realm, 1)
    await scene.standings.statistics(realm, {})
    for (const [spoil, words] of [
      ['update gains set gained = gained + 1 where realm = $1 and account = 9', /gained 9 .*11 is stored/],
      ['delete from activity where realm = $1 and account = 7', /last active 7: .*nothing stored/],
      [
        'insert into supply select $1, build, 5, 1, 1, 1 from standings where realm = $1',
        /supply 5: .* is stored, nothing is right/,
      ],
    ] as const) {
      await rowsOf(scene.database.superuserUrl, spoil, [realm])
      const { code, out } = await runCommand(
        ['leaderboards', 'check', '--realm', id],
        environment(scene.database),
      )
      assert.equal(code, 1)
      assert.match(out, words)
      await scene.standings.rebuild(realm)
      assert.equal((await scene.standings.check(realm)).ok, true)
    }
  })
})

describe('a board', () => {
  it('that is built during writes is right', async () => {
    const { number: realm } = await scene.make(people)
    await play(realm, 2)
    const playing = play(realm, 12)
    let turn = 0
    while ((await Promise.race([playing, sleep(1, 'more')])) === 'more') {
      const fresh = scene.open(0)
      const asked = { point: undefined, from: undefined, to: undefined, exclude: [] }
      const period = turn++ % 2 === 0 ? 'all' : 'week'
      const { members, seq } = await fresh.top(
        realm,
        { ...asked, period },
        { after: undefined, limit: 1_000 },
      )
      const text =
        period === 'all'
          ? `select m.id, (select case when j.from_account = m.account then from_balance else to_balance end
              from journal j where j.realm = m.realm and j.seq <= $2
                and m.account in (from_account, to_account) order by seq desc limit 1) as score
            from members m where realm = $1`
          : `select m.id, (select coalesce(sum(amount), 0) from journal j where j.realm = m.realm
              and kind = 1 and to_account = m.account and j.seq <= $2)
            - (select coalesce(sum(amount), 0) from journal j where j.realm = m.realm
              and kind = 3 and from_account = m.account and j.seq <= $2) as score
            from members m where realm = $1`
      const rows = await rowsOf(scene.database.superuserUrl, text, [realm, String(seq)])
      const expected = Object.fromEntries(
        rows.flatMap((row) => (row.score > 0 ? [[row.id, Number(row.score)]] : [])),
      )
      assert.deepEqual(Object.fromEntries(members.map(({ id, score }) => [id, score])), expected, period)
      await fresh.close()
    }
    assert.ok(turn > 0, 'no board was built')
  })

  it('filters hidden members only among its own', async () => {
    const explain = { name: 'explained', text: `explain ${statements.readHidden.text}` }
    const { rows: plan } = await scene.db.within([1]).query(explain, [1, 0, 10])
    assert.match(JSON.stringify(plan), /members_hidden/)
  })
})
