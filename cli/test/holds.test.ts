import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manager, poor, rich } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
const here = folder()
suite({}, async ({ app }) => {
  const realm = await realmWithKey(app.url, { name: 'Guild', point: { id: 'gold', name: 'Gold' } })
  const at = { baseUrl: app.url, token: operatorToken }
  const members = [
    { id: rich, username: 'ada' },
    { id: poor, username: 'bob' },
  ]
  await manager(at, 'POST', { path: `/realms/${realm.id}/members`, body: { members } })
  cli = commandLine(app.url, realm)
  await cli.run(`points award ${rich} 100`)
})

type Hold = { readonly holdId: string; readonly status: string; readonly newBalance: number }

describe('holds', () => {
  it('are created, listed, shown, captured in part and released', async () => {
    const made = await cli.run(`holds create ${rich} 40 --expires-in 600 --reference order-17`)
    assert.deepEqual([made.code, made.out], [0, `${rich} has 60 points left, 40 points held.\n`])
    const [, id = ''] =
      /^Hold (\d+), until [0-9: -]{16}\. .* exchequer holds capture \1\n$/.exec(made.err) ?? []
    assert.match((await cli.run('holds list')).out, new RegExp(`^${id} +${rich} +40 +gold +`, 'm'))
    assert.equal((await cli.json<Hold[]>(`holds list --member ${rich}`)).length, 1)
    assert.equal((await cli.run(`holds list --member ${poor}`)).err, 'There are no open holds.\n')
    const dry = await cli.run(`holds capture ${id} --tokens 30 --dry-run`)
    assert.match(dry.out, /^30 points would be charged/)
    assert.match((await cli.run(`holds show ${id}`)).out, /^status +open$/m)
    const captured = await cli.run(`holds capture ${id} --tokens 30 --reason "a mug"`)
    assert.equal(captured.out, '30 points are charged; the balance is 70.\n')
    assert.equal((await cli.json<Hold>(`holds show ${id}`)).status, 'captured')
    const second = await cli.json<Hold>(`holds create ${rich} 20`)
    const released = await cli.run(`holds release ${second.holdId}`)
    assert.equal(released.out, '20 points are released; the balance is 70.\n')
    assert.equal((await cli.run(`holds release ${second.holdId}`)).code, 1)
  })

  it('are created once under a key', async () => {
    const line = `holds create ${rich} 5 --idempotency-key cart-9`
    const [first, second] = [await cli.json<Hold>(line), await cli.json<Hold>(line)]
    assert.deepEqual(first, second)
    await cli.run(`holds release ${first.holdId}`)
  })
})

describe('changes', () => {
  const list = [
    { memberId: rich, tokens: 10, reason: 'payday' },
    { memberId: rich, recipientId: poor, tokens: 4 },
    { memberId: poor, tokens: -999 },
  ]
  const json = (value: unknown) => ({ input: JSON.stringify(value) })

  it('are applied independently from a file, with exit code 1 when one failed', async () => {
    const file = here.file('changes.json', JSON.stringify(list))
    const dry = await cli.run(`changes apply ${file} --dry-run`)
    assert.match(dry.err, /^1 change of 3 failed\.\nThis was a dry run/)
    const { code, out, err } = await cli.run(`changes apply ${file}`)
    assert.equal(code, 1, err)
    assert.match(out, new RegExp(`^ +1 +${rich} +10 +80 +\\d+ +done$`, 'm'))
    assert.match(out, new RegExp(`^ +3 +${poor} +-999 .*has 4 points; 999 were asked for`, 'm'))
  })

  it('are read from standard input, as an array, a body or lines', async () => {
    const one = { memberId: rich, tokens: 1 }
    for (const input of [
      JSON.stringify({ changes: [one, one] }),
      `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`,
    ])
      assert.equal((await cli.json<unknown[]>('changes apply -', { input })).length, 2)
    assert.equal((await cli.json<unknown[]>('changes apply -', { input: JSON.stringify(one) })).length, 1)
  })

  it('with --atomic are applied all or none', async () => {
    const before = await cli.json<{ tokenBalance: number }>(`members show ${rich}`)
    const { code, err } = await cli.run('changes apply - --atomic', json(list))
    assert.equal(code, 1)
    assert.match(err, /999 were asked for/)
    const after = await cli.json<{ tokenBalance: number }>(`members show ${rich}`)
    assert.equal(after.tokenBalance, before.tokenBalance)
  })

  it('with the same idempotency key are applied once', async () => {
    const line = 'changes apply - --idempotency-key payday-1'
    type Outcome = { readonly transactionId: string }
    const [first] = await cli.json<Outcome[]>(line, json(list.slice(0, 1)))
    const [second] = await cli.json<Outcome[]>(line, json(list.slice(0, 1)))
    assert.equal(first?.transactionId, second?.transactionId)
  })

  it('that are invalid are not sent', async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      [`[{"memberId":${rich},"tokens":1}]`, /Change 1, memberId, is a number that is not exact.*in quotes/],
      ['[{"memberId":"1","token":1}]', /Change 1 has an unknown field "token"\. Did you mean "tokens"\?/],
      ['[{"memberId":"1"}]', /Change 1 needs memberId and a number of tokens/],
      ['[{"memberId":"1","tokens":1}', /The list is not JSON/],
      ['{"memberId":"1","tokens":1}\n{"memberId"', /Line 2 is not JSON/],
      ['[]', /has no changes in it/],
      [
        JSON.stringify(Array.from({ length: 1001 }, () => list[0])),
        /has 1001 changes; a request can have 1000/,
      ],
    ]
    for (const [input, expected] of wrong) {
      const { code, err } = await cli.run('changes apply -', { input })
      assert.deepEqual([code, expected.test(err)], [2, true], err)
    }
  })
})

describe('rank', () => {
  it('is shown, with the members around it', async () => {
    const ranked = async () => (await cli.json<{ total: number }>(`rank show ${rich}`)).total
    for (let tries = 0; (await ranked()) < 2; tries += 1) assert.ok(tries < 50)
    const { out, err } = await cli.run(`rank show ${rich} --neighbours 1`)
    assert.match(out, new RegExp(`^RANK {2}ID .*\\n +1 +${rich} +ada +\\d+\\n +2 +${poor} +bob +\\d+\\n$`))
    assert.equal(err, 'Rank 1 of 2.\n')
  })
})

describe('a secret that is shown once', () => {
  it('is not shown again for the same idempotency key, and the message says what to do', async () => {
    const line = 'keys create --name once --scopes members:read --idempotency-key key-1'
    const first = await cli.run(line)
    assert.match(first.out, /^exq_/)
    const again = await cli.run(line)
    assert.deepEqual([again.code, again.out], [1, ''])
    assert.match(
      again.err,
      /key (\d+) was shown then, once\. If you do not have it: exchequer keys rotate \1\n/,
    )
    const keys = await cli.json<{ name: string }[]>('keys list')
    assert.equal(keys.filter(({ name }) => name === 'once').length, 1)
  })
})
