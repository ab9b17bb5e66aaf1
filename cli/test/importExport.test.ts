import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { poor, rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder, main } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
suite({}, async ({ app }) => {
  cli = commandLine(app.url, await realmWithKey(app.url, { point: { id: 'gold', name: 'Gold' } }))
})
const here = folder()
const rows = Array.from({ length: 4_500 }, (_, index) => `${index + 1},name${index},${index % 5}`)
const csv = `id,username,balance\n${rows.join('\n')}\n`
const total = rows.reduce((sum, _, index) => sum + (index % 5), 0)

describe('import', () => {
  it('a dry run prints the total and changes nothing', async () => {
    const { code, out, err } = await cli.run(`import ${here.file('a.csv', csv)} --dry-run`)
    assert.equal(code, 0, err)
    assert.equal(out, 'checked   4,500 rows, opening balances 9,000 gold\n')
    assert.equal(total, 9_000)
    assert.match(err, /nothing was changed/)
    assert.deepEqual(await cli.json('members list'), [])
  })

  it('creates members and balances, and a second run adds nothing', async () => {
    const first = await cli.run(`import ${join(here.path, 'a.csv')}`)
    assert.match(
      first.out,
      /imported {2}4,500 members created, 0 updated, 0 wallets linked, 3,600 opening balances added, 0 /,
    )
    const { members, openings } = await cli.json<{ members: { created: number }; openings: object }>(
      `import ${join(here.path, 'a.csv')}`,
    )
    assert.deepEqual([members.created, openings], [0, { made: 0, alreadyThere: 3_600, onTop: 0 }])
  })

  it('counts opening balances that would be added on top, and refuses without --add-on-top', async () => {
    for (const dry of ['', ' --dry-run']) {
      const { code, err } = await cli.run(`import ${join(here.path, 'a.csv')} --name again${dry}`)
      assert.equal(code, 1)
      assert.match(
        err,
        /Nothing was imported\.\n {2}line 3: 1600 opening balances are for members who already have /,
      )
      assert.match(err, /use the name it had\. To add on top: --add-on-top\.\n/)
      assert.match(err, /\n {2}In total, 3,600 opening balances would be added to existing points\.\n/)
    }
  })

  it('an error anywhere is reported by its line, and nothing of the file is imported', async () => {
    const wrong = csv
      .replace('\n4400,name4399,4\n', '\n1.19E+18,name4399,4\n')
      .replaceAll(/^(\d)/gm, '9000$1')
    const { code, err } = await cli.run(`import ${here.file('b.csv', wrong)}`)
    assert.equal(code, 1)
    assert.match(err, /Nothing was imported\.\n {2}line 4401: 90001\.19E\+18 is what a spreadsheet makes/)
    assert.equal((await cli.run('members show 90004500')).code, 1)
  })

  it('accepts a leaderboard of the old service, with exact ids', async () => {
    const board = `{"members":[{"id":${rich},"username":"ada","rank":1,"balance":70,"wallet":null},
      {"id":"${poor}","username":"bob","rank":2,"balance":7}]}`
    const { code, out } = await cli.run(`import ${here.file('board.json', board)} --name old`)
    assert.equal(code, 0)
    assert.match(out, /checked {3}2 rows, opening balances 77 gold/)
    const { tokenBalance } = await cli.json<{ tokenBalance: number }>(`members show ${rich}`)
    assert.equal(tokenBalance, 70)
    const none = await cli.run(`import ${here.file('none.json', '{"places":[]}')}`)
    assert.equal(none.code, 2)
    assert.match(none.err, /is not a leaderboard: expected \{"members":/)
  })
})

describe('export', () => {
  it('writes to standard output, or to a complete file', async () => {
    const { code, out, err } = await cli.run('export balances')
    assert.equal(code, 0)
    assert.ok(out.includes(`"=""${rich}"""`))
    assert.match(err, /^balances\.csv, as of entry 3602\.\n$/)
    const file = join(here.path, 'members.csv')
    const answer = await cli.json<{ lines: number; seq: string }>(`export members -o ${file}`)
    assert.deepEqual([answer.lines, answer.seq], [4_503, '3602'])
    assert.equal(readFileSync(file, 'utf8').split('\n').length, 4_504)
  })
})

describe('verify', () => {
  const file = join(here.path, 'realm.ndjson')
  let seal = ''

  it('verifies an export offline, from the file alone', async () => {
    const said = '--reason "a quest" --metadata {"quest":1,"a":[1,2]}'
    await cli.run(`points award ${rich} 5 ${said} --actor-id ${poor}`)
    await cli.run(`points transfer ${rich} ${poor} 3`)
    await cli.run('entries reverse 3603')
    await cli.run(`export realm --output ${file}`)
    const { code, out, err } = await cli.run(`verify ${file}`, {
      env: { EXCHEQUER_URL: 'http://127.0.0.1:9' },
    })
    assert.equal(code, 0, err)
    assert.match(out, /: ok 3605:[0-9a-f]{64}\n$/)
    seal = out.trim().split(' ').at(-1) ?? ''
    assert.equal((await cli.run(`verify ${file} --against ${seal}`)).code, 0)
  })

  it('verifies the journal of a server', async () => {
    const { out } = await cli.run('verify')
    assert.equal(out.trim().split(' ').at(-1), seal)
  })

  const spoilt: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    [
      'an amount',
      (text) => text.replace(/"tokens":"3"/, '"tokens":"4"'),
      /entry \d+: it does not match its hash/,
    ],
    ['a reason', (text) => text.replace('a quest', 'a guess'), /its details do not match its hash/],
    [
      'an omitted entry',
      (text) => text.replace(/.*"seq":"17".*\n/, ''),
      /entry 17: it is missing: 18 follows 16/,
    ],
    [
      'an omitted end',
      (text) => text.replace(/\{"end".*\n/, ''),
      /the last line is missing: the file was cut off/,
    ],
    [
      'an omitted member',
      (text) => text.replace(/\{"member".*\n/, ''),
      /the file has 4501 members, but its last line says 4502/,
    ],
    [
      'another realm’s name',
      (text) => text.replace(/"realmId":"/, '"realmId":"x'),
      /entry 1: it does not match/,
    ],
    ['no export', () => 'id,balance\n', /line 1: this is not a line of an exported realm/],
  ]
  for (const [what, spoil, expected] of spoilt) {
    it(`finds ${what}`, async () => {
      const wrong = join(here.path, 'wrong.ndjson')
      writeFileSync(wrong, spoil(readFileSync(file, 'utf8')))
      const { code, out, err } = await cli.run(`verify ${wrong}`)
      assert.deepEqual([code, out], [1, ''])
      assert.match(err, expected)
    })
  }

  it('detects a completely rewritten history by a seal printed before', async () => {
    const other = `3604:${'0'.repeat(64)}`
    const { code, err } = await cli.run(`verify ${file} --against ${other}`)
    assert.equal(code, 1)
    assert.match(err, /WRONG at entry 3604: its hash is/)
    const answer = await cli.run(`verify ${file} --against ${other} --json`)
    assert.deepEqual([answer.code, JSON.parse(answer.out).ok], [1, false])
  })
})

describe('journal follow', () => {
  it('prints each change as it happens, as one line of JSON with --json', async () => {
    const args = ['journal', 'follow', '--json', '--count', '2']
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...cli.env, PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' },
    })
    const heard: { seq: string; tokens: number; toId: string }[] = []
    const ended = new Promise((resolve) => child.once('exit', resolve))
    createInterface(child.stdout).on('line', (line) => heard.push(JSON.parse(line)))
    const stop = setInterval(() => void cli.run(`points award ${rich} 9 --reason now`), 300)
    assert.equal(await ended, 0)
    clearInterval(stop)
    assert.equal(heard.length, 2)
    assert.deepEqual([heard[0]?.tokens, heard[0]?.toId], [9, rich])
  })

  it('prints a readable line for each change, from any entry on', async () => {
    const { out, err } = await cli.run('journal follow --after 3602 --count 3')
    assert.match(err, /Following the journal after entry 3602/)
    const [first, second, third] = out.split('\n')
    assert.match(
      first ?? '',
      new RegExp(`3603 {2}[-0-9: ]+ {2}adjust +5 gold {2}realm → ${rich} {2}“a quest”`),
    )
    assert.match(second ?? '', new RegExp(`transfer +3 gold {2}${rich} → ${poor}`))
    assert.match(third ?? '', /reversal/)
  })
})

describe('import --add-on-top', () => {
  it('adds to existing balances', async () => {
    const one = here.file('one.csv', 'id,balance\n2,1\n')
    const balance = async () => (await cli.json<{ tokenBalance: number }>('members show 2')).tokenBalance
    assert.equal(await balance(), 1)
    const { code, out } = await cli.run(`import ${one} --name again --add-on-top`)
    assert.equal(code, 0)
    assert.match(out, /1 opening balance added, 0 already there/)
    assert.equal(await balance(), 2)
  })
})
