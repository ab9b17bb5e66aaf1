import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manager, poor, rich, unknownMember } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'

let cli: ReturnType<typeof commandLine>
suite({}, async ({ app }) => {
  const realm = await realmWithKey(app.url, { name: 'Guild', point: { id: 'gold', name: 'Gold' } })
  const at = { baseUrl: app.url, token: operatorToken }
  const members = [
    { id: rich, username: 'ada' },
    { id: poor, username: 'bob' },
  ]
  await manager(at, 'POST', { path: `/realms/${realm.id}/members`, body: { members } })
  cli = commandLine(app.url, realm)
})

describe('points', () => {
  it('are awarded and deducted, and the new balance is shown', async () => {
    const added = await cli.run(`points award ${rich} 1250 --reason "won the quiz"`)
    assert.deepEqual([added.code, added.out], [0, `${rich} has 1,250 points (+1,250).\n`])
    assert.match(added.err, /To reverse it: exchequer entries reverse 1\n/)
    const taken = await cli.run(`points deduct ${rich} 50`)
    assert.equal(taken.out, `${rich} has 1,200 points (−50).\n`)
  })

  it('--json prints one JSON document', async () => {
    const answer = await cli.json(`points award ${rich} 5`)
    assert.deepEqual(answer, { newBalance: 1205, transactionId: '3' })
  })

  it('with --idempotency-key the same line twice is one change', async () => {
    const line = `points award ${rich} 10 --idempotency-key order-17`
    const [first, second] = [await cli.json(line), await cli.json(line)]
    assert.deepEqual(first, second)
  })

  it('a dry run changes nothing', async () => {
    const { out, err } = await cli.run(`points deduct ${rich} 15 --dry-run`)
    assert.match(out, /would have 1,200 points/)
    assert.match(err, /nothing was changed/)
    const { tokenBalance } = await cli.json<{ tokenBalance: number }>(`members show ${rich}`)
    assert.equal(tokenBalance, 1215)
  })

  it('are transferred from one member to another', async () => {
    const { code, out } = await cli.run(`points transfer ${rich} ${poor} 15 --reason thanks`)
    assert.deepEqual([code, out], [0, `${rich} has 1,200 points, ${poor} 15 points.\n`])
  })

  it('an entry is reversed, once', async () => {
    const { transactionId } = await cli.json<{ transactionId: string }>(`points award ${poor} 7`)
    const undone = await cli.run(`entries reverse ${transactionId} --reason "a mistake"`)
    assert.equal(undone.out, `Entry ${transactionId} is reversed: ${poor} has 15 points.\n`)
    const again = await cli.run(`entries reverse ${transactionId}`)
    assert.equal(again.code, 1)
    assert.match(again.err, /^exchequer: Entry \d+ was reversed by entry \d+\. This response is stored until/)
  })

  it('many entries are reversed by a filter, after confirmation', async () => {
    for (const member of [rich, poor]) await cli.run(`points award ${member} 3 --reference quiz-9`)
    const dry = await cli.run('reversals create --filter-reference quiz-9 --dry-run')
    assert.equal(dry.out, '2 entries would be reversed, 6 points in all.\n')
    const unasked = await cli.run('reversals create --filter-reference quiz-9')
    assert.equal(unasked.code, 5)
    assert.match(
      unasked.err,
      /2 entries will be reversed, 6 points in all\.\nThere is no terminal to ask at: give --yes/,
    )
    const done = await cli.run('reversals create --filter-reference quiz-9 --yes')
    assert.deepEqual([done.code, done.out], [0, '2 entries reversed, 6 points in all.\n'])
  })

  it('have types, which are listed, created and changed', async () => {
    const added = await cli.json<{ id: string; maxPerDay: number }>(
      'point-types create silver --name Silver --max-per-day 100',
    )
    assert.deepEqual([added.id, added.maxPerDay], ['silver', 100])
    const changed = await cli.json<{ maxPerDay: null; transferable: boolean }>(
      'point-types update silver --max-per-day none --transferable no',
    )
    assert.deepEqual([changed.maxPerDay, changed.transferable], [null, false])
    const { out } = await cli.run('point-types list')
    assert.match(out, /^POINT TYPE {2}NAME {4}EMOJI {2}DEFAULT/)
    assert.match(out, /\ngold {8}Gold .* default /)
    assert.equal(
      (await cli.run(`points award ${rich} 4 --point-type silver`)).out,
      `${rich} has 4 points (+4).\n`,
    )
  })

  it('a rejection is printed in the server’s words, with exit code 1', async () => {
    const { code, out, err } = await cli.run(`points deduct ${poor} 999999`)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, new RegExp(`^exchequer: Member ${poor} has 15 points; 999999 were asked for\\.`))
    assert.equal((await cli.run(`points award ${unknownMember} 1`)).code, 1)
  })
})

describe('entries', () => {
  it('are printed as a table, newest first, with full ids and right-aligned numbers', async () => {
    const { out } = await cli.run(`entries list ${poor} --limit 3`)
    const lines = out.trimEnd().split('\n')
    assert.match(
      lines[0] ?? '',
      /^ENTRY {2}TIME {14}WHAT {2,}POINTS {2}BALANCE {2}POINT TYPE {2}WITH {2,}REASON$/,
    )
    assert.match(lines[1] ?? '', /reverses \d+ +−3 +15 {2}gold/)
    assert.equal(lines.length, 4)
  })

  it('are printed with --json as the server returns them', async () => {
    const entries = await cli.json<{ type: string; counterpartyId: string | null; reason: string }[]>(
      `entries list ${poor} --all --direction in`,
    )
    const transfer = entries.find(({ type }) => type === 'transfer')
    assert.deepEqual([transfer?.counterpartyId, transfer?.reason], [rich, 'thanks'])
    const entry = await cli.run('entries show 1')
    assert.match(entry.out, /^reason +won the quiz$/m)
  })

  it('a leaderboard has ranks', async () => {
    // It follows the journal within a second.
    const ranked = async () => (await cli.json<{ total: number }>('leaderboard show')).total
    for (let tries = 0; (await ranked()) < 2; tries += 1) assert.ok(tries < 50)
    const week = await cli.run('leaderboard show --period week --limit 1')
    assert.match(week.out, /^RANK {2}ID {19}NAME {2}GAINED {2}BALANCE\n/)
    const { out } = await cli.run('leaderboard show --limit 1')
    assert.match(out, new RegExp(`^RANK {2}ID {19}NAME {2}BALANCE\n {3}1 {2}${rich} {2}ada {5}1,200\n$`))
    assert.equal((await cli.run('leaderboard show --from 2030-01-01')).code, 2)
  })
})
