import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
suite({}, async ({ app }) => {
  cli = commandLine(
    app.url,
    await realmWithKey(app.url, { id: 'guild', point: { id: 'gold', name: 'Gold' } }),
  )
})
const here = folder()
const place = '159962941502783488'
const token = 'a-token-that-is-not-shown'

/** A stand-in for Tatsu, in two pages; `points` are those of the last member. */
let points = '5.5'
let requests = 0
const pages = (offset: number): string =>
  [
    `[{"user_id":"${rich}","score":100},{"user_id":"2","score":20}]`,
    `[{"user_id":"3","score":${points}},{"user_id":1190194345295483000,"score":1},` +
      '{"user_id":"4","score":-1}]',
  ][offset / 2] ?? 'null'
const tatsu = createServer((request, response) => {
  requests += 1
  const { searchParams } = new URL(request.url ?? '', 'http://localhost')
  if (request.headers.authorization !== token) response.writeHead(403).end('{}')
  else response.end(`{"rankings":${pages(Number(searchParams.get('offset')))}}`)
})
let url = ''
before(async () => {
  await new Promise<void>((done) => tatsu.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(tatsu.address() as { port: number }).port}`
})
after(() => tatsu.close())

const bring = (more: string, env: Record<string, string> = { EXCHEQUER_FROM_TOKEN: token }) =>
  cli.run(`import --from tatsu ${place} --base-url ${url} ${more}`, { cwd: here.path, env })
const balanceOf = async (id: string) =>
  (await cli.json<{ tokenBalance: number }>(`members show ${id}`)).tokenBalance

describe('import --from', () => {
  it('a dry run shows the totals and the rows with problems, and changes and leaves nothing', async () => {
    const { code, out, err } = await bring('--dry-run')
    assert.equal(code, 0, err)
    assert.match(
      out,
      new RegExp(`^Tatsu ${place}: 3 members, 125 points, the largest 100 \\(${rich}\\)$`, 'm'),
    )
    assert.match(out, /^1 balance is not whole, and rounded down\.$/m)
    assert.match(out, /^2 rows have problems, and would be left out:$/m)
    assert.match(out, /^ {2}row 4: the id 1190194345295483000 is a JSON number that looks rounded\./m)
    assert.match(out, /^ {2}row 5: member 4: the points are -1; an opening balance is never below 0$/m)
    assert.match(err, /nothing was changed/)
    assert.deepEqual(await cli.json('members list'), [])
    assert.deepEqual(readdirSync(here.path), [])
  })

  it('asks for confirmation, also where there is no terminal', async () => {
    const { code, err } = await bring('')
    assert.equal(code, 5)
    assert.match(
      err,
      /They will be imported into realm guild at .*\nThere is no terminal to ask at: give --yes/,
    )
    assert.deepEqual(readdirSync(here.path), [])
  })

  it('needs the token, rejects one that is no header, and never prints it', async () => {
    const missing = await bring('--yes', {})
    assert.equal(missing.code, 2)
    assert.match(
      missing.err,
      /Tatsu needs a token: the API key that t!apikey .* Set EXCHEQUER_FROM_TOKEN to it/,
    )
    const broken = await bring('--yes', { EXCHEQUER_FROM_TOKEN: `${token}\n${token}` })
    assert.equal(broken.code, 2)
    const wrong = await bring('--yes', { EXCHEQUER_FROM_TOKEN: `${token}x` })
    assert.equal(wrong.code, 1)
    assert.match(wrong.err, /Tatsu returned 403: check the token/)
    for (const { out, err } of [missing, broken, wrong]) assert.doesNotMatch(out + err, new RegExp(token))
  })

  it('says what the argument must be, and which options need --from', async () => {
    const name = await cli.run('import --from tatsu my-server')
    assert.equal(name.code, 2)
    assert.match(name.err, /"my-server" is not the id of the Discord server, in digits/)
    const other = await cli.run('import --from mee7 1')
    assert.match(other.err, /--from must be one of mee6, .*Did you mean mee6\?/)
    const without = await cli.run('import members.csv --point-type gold')
    assert.match(without.err, /--point-type needs --from SERVICE: one of mee6, tatsu/)
  })

  it('imports each member once, however often it is run', async () => {
    const first = await bring('--yes')
    assert.equal(first.code, 0, first.err)
    assert.match(
      first.out,
      /^imported {2}3 members created, 0 updated, 3 opening balances added, 0 already there$/m,
    )
    assert.deepEqual([await balanceOf(rich), await balanceOf('2'), await balanceOf('3')], [100, 20, 5])
    const again = await bring('--yes --json')
    const { openings, read } = JSON.parse(again.out) as { openings: object; read: object }
    assert.deepEqual(openings, { made: 0, alreadyThere: 3, onTop: 0 })
    assert.deepEqual(read, { members: 3, points: '125', largest: { id: rich, points: '100' } })
    assert.deepEqual(readdirSync(here.path), [])
  })

  it('refuses points that have changed since the import, by member, and imports nothing', async () => {
    points = '6'
    const { code, err } = await bring('--yes')
    assert.equal(code, 1)
    assert.match(err, /Nothing was imported\.\n {2}member 3: /)
    assert.equal(await balanceOf('3'), 5)
  })

  it('continues a run that was stopped with what that had read, until --afresh', async () => {
    const dry = await bring('--dry-run')
    assert.equal(dry.code, 1)
    const file = leaveUnfinished()
    requests = 0
    const { code, out, err } = await bring('--yes')
    assert.equal(code, 0, err)
    assert.equal(requests, 0)
    assert.match(err, /Continuing with what was read at .*\. To read it again: --afresh/)
    assert.match(
      out,
      /^imported {2}0 members created, 0 updated, 0 opening balances added, 3 already there$/m,
    )
    assert.equal(existsSync(file), false)
    leaveUnfinished()
    assert.equal((await bring('--yes --afresh')).code, 1)
    assert.deepEqual(readdirSync(here.path), [])
  })

  it('adds to another point type under a name of its own', async () => {
    await cli.run('point-types create xp')
    const { code, err } = await bring('--yes --point-type xp')
    assert.equal(code, 0, err)
    const { balances } = await cli.json<{ balances: Record<string, number> }>('members show 3')
    assert.deepEqual(balances, { gold: 5, xp: 6 })
  })

  it('reads a table of another bot', async () => {
    const file = here.file('levels.csv', 'User ID;Name;XP\n="1190194345295482960";cleo;12\n5;dan;1e3\n')
    const { code, out, err } = await cli.run(`import --from csv ${file} --yes`)
    assert.equal(code, 0, err)
    assert.match(out, /: 1 member, 12 points, the largest 12 \(1190194345295482960\)$/m)
    assert.match(out, /row 2: member 5: the points "1e3" are not a number in digits/)
    assert.equal(await balanceOf('1190194345295482960'), 12)
    const none = await cli.run('import --from csv no-such.csv --yes')
    assert.match(none.err, /no such file/)
  })
})

/** Writes what a run stores before it imports. */
function leaveUnfinished(): string {
  const { EXCHEQUER_URL, EXCHEQUER_REALM } = cli.env
  const target = createHash('sha256').update(JSON.stringify([EXCHEQUER_URL, EXCHEQUER_REALM, undefined]))
  const name = `exchequer-import-tatsu-${place}-${target.digest('hex').slice(0, 8)}.ndjson`
  const rows = [`{"id":"${rich}","balance":"100"}`, '{"id":"2","balance":"20"}', '{"id":"3","balance":"5"}']
  return here.file(name, `${rows.join('\n')}\n`)
}
