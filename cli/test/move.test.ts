import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startApp } from '../../server/src/app/index.ts'
import { evmWallet, poor, rich, solanaWallet } from '../../tests/support/fixture.ts'
import { freshDatabase, suite, type TestDatabase, testConfig } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder } from './support/run.ts'

/** The old service is a second server of ours, on its own database, with other point types. */
let ours: ReturnType<typeof commandLine>
let theirs: ReturnType<typeof commandLine>
let old: { readonly url: string; readonly id: string; readonly key: string }
let elsewhere: TestDatabase
let stop: () => Promise<void> = async () => {}
const here = folder()
const oldPoint = '5f7f3c9f0c1d4e2a8b6d7e90'
const hidden = '4711'
const crowd = 60

async function makeOld(): Promise<void> {
  elsewhere = await freshDatabase()
  const app = await startApp(testConfig(elsewhere))
  stop = () => app.close()
  const realm = await realmWithKey(app.url, { id: 'guild', point: { id: oldPoint, name: 'Gold' } })
  old = { url: app.url, id: realm.id, key: realm.key }
  theirs = commandLine(app.url, realm)
  const lines = Array.from({ length: crowd }, (_, index) => `${index + 1},crowd${index},${index + 1},`)
  const people = [`${rich},ada,100000,${evmWallet}`, `${poor},bob,5,${solanaWallet}`, `${hidden},eve,42,`]
  const csv = `id,username,balance,wallet\n${[...people, ...lines].join('\n')}\n`
  await theirs.run(`import ${here.file('old.csv', csv)}`)
  await theirs.run('point-types create silver')
  await theirs.run(`points award ${poor} 8 --point-type silver`)
  await theirs.run(`members update ${hidden} --hidden yes`)
  await settled()
}

/** Leaderboards follow the journal within a second. */
async function settled(): Promise<void> {
  const ranked = async () => (await theirs.json<{ total: number }>('leaderboard show')).total
  for (let tries = 0; (await ranked()) !== crowd + 2; tries += 1) assert.ok(tries < 50)
}

suite({}, async ({ app }) => {
  ours = commandLine(
    app.url,
    await realmWithKey(app.url, { id: 'guild', point: { id: 'gold', name: 'Gold' } }),
  )
  await makeOld()
})
after(async () => {
  await stop()
  await elsewhere?.drop()
})

const move = (more: string) =>
  ours.run(`move --from ${old.url} ${more}`, { cwd: here.path, env: { EXCHEQUER_FROM_KEY: old.key } })
const total = 100_000 + 5 + (crowd * (crowd + 1)) / 2

describe('move', () => {
  it('says which point type is missing, and what to do', async () => {
    const { code, err } = await move('--dry-run')
    assert.equal(code, 2)
    assert.match(
      err,
      /the point type silver, .* here: gold\.\nCreate it: exchequer point-types create silver/,
    )
  })

  it('a dry run prints what would be imported, and changes and leaves nothing', async () => {
    await ours.run('point-types create silver')
    const { code, out, err } = await move('--dry-run')
    assert.equal(code, 0, err)
    assert.match(out, /^62 members read, 62 of them on a leaderboard\.$/m)
    assert.match(out, new RegExp(`^${oldPoint} {2}gold +62 +101,835$`, 'm'))
    assert.equal(total, 101_835)
    assert.match(err, /A v4 service can’t list its members: add those on no leaderboard with --ids FILE/)
    assert.deepEqual(await ours.json('members list'), [])
    assert.equal(existsSync(join(here.path, 'exchequer-move-guild.ndjson')), false)
  })

  it('asks for confirmation before it imports anything', async () => {
    const { code, err } = await move('')
    assert.equal(code, 5)
    assert.match(
      err,
      /They will be imported into realm guild at .*\nThere is no terminal to ask at: give --yes/,
    )
    assert.deepEqual(await ours.json('members list'), [])
  })

  it('does not resume an earlier move without --resume', async () => {
    const { code, err } = await move('--yes')
    assert.equal(code, 2)
    assert.match(
      err,
      /exchequer-move-guild\.ndjson is from a move that was started\. To continue it: --resume/,
    )
  })

  it('resumes where it was stopped, also within a line, and compares every balance', async () => {
    const file = join(here.path, 'exchequer-move-guild.ndjson')
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.slice(0, kept.length - 700))
    const ids = here.file('ids.txt', `id\n${hidden}\n${rich}\n77\n`)
    const { code, out, err } = await move(`--resume --yes --ids ${ids}`)
    assert.equal(code, 0, err)
    assert.match(out, /^63 members created, 64 opening balances added, 0 already there\. Compared:$/m)
    assert.match(out, /^gold +63 +101,877 +101,877 {2}equal$/m)
    assert.match(out, /^silver +1 +8 +8 {2}equal$/m)
    assert.match(err, /No longer members there: 77/)
    const ada = await ours.json<{ username: string; tokenBalance: number }>(`members show ${rich}`)
    assert.deepEqual([ada.username, ada.tokenBalance], ['ada', 100_000])
    const wallets = await ours.json<{ address: string }[]>(`wallets list ${poor}`)
    assert.deepEqual(
      wallets.map(({ address }) => address),
      [solanaWallet],
    )
  })

  it('a second run imports nothing twice', async () => {
    const { code, out } = await move(`--afresh --yes --ids ${join(here.path, 'ids.txt')}`)
    assert.equal(code, 0)
    assert.match(out, /^0 members created, 0 opening balances added, 64 already there\. Compared:$/m)
    assert.equal((await ours.run('verify')).code, 0)
  })

  it('changes at the old service since it was read are listed by member, with exit code 1', async () => {
    await theirs.run(`points award ${rich} 11`)
    const now = async () =>
      (await theirs.json<{ members: { balance: number }[] }>('leaderboard show')).members[0]
    for (let tries = 0; (await now())?.balance !== 100_011; tries += 1) assert.ok(tries < 50)
    const { code, out, err } = await move('--resume --yes')
    assert.equal(code, 1)
    assert.match(out, /^gold +63 +101,877 +101,877 {2}equal$/m)
    assert.match(
      err,
      new RegExp(`1 balance has changed .*\\n {2}${rich} had 100000 ${oldPoint}, and has 100011 now`),
    )
  })

  it('including members on no leaderboard, and members without any points left', async () => {
    await theirs.run(`points award ${hidden} 3`)
    await theirs.run(`points deduct ${crowd} ${crowd}`)
    await theirs.run(`points deduct ${poor} 8 --point-type silver`)
    await theirs.run('points deduct 59 59')
    await theirs.run('members delete 59 --yes')
    const ranked = async () => (await theirs.json<{ total: number }>('leaderboard show')).total
    for (let tries = 0; (await ranked()) !== crowd; tries += 1) assert.ok(tries < 50)
    const { code, out } = await move('--resume --yes --json')
    assert.equal(code, 1)
    const { moved, held } = JSON.parse(out) as { moved: { id: string }[]; held: number }
    assert.deepEqual(
      moved.sort((a, b) => Number(a.id) - Number(b.id)),
      [
        // A member who is gone is listed with our point type.
        { id: '59', kind: 'gold', read: 59, now: 0 },
        { id: String(crowd), kind: oldPoint, read: crowd, now: 0 },
        { id: hidden, kind: oldPoint, read: 42, now: 45 },
        { id: rich, kind: oldPoint, read: 100_000, now: 100_011 },
        { id: poor, kind: 'silver', read: 8, now: 0 },
      ],
    )
    assert.equal(held, 0)
  })

  it('differences afterwards are listed by member, with exit code 1', async () => {
    await ours.run(`points award ${poor} 1`)
    const { code, out, err } = await move('--resume --yes')
    assert.equal(code, 1)
    assert.match(out, /^gold +63 +101,877 +101,878 {2}DIFFERENT$/m)
    assert.match(err, new RegExp(`${poor} has 6 gold here, and had 5 there`))
  })
})

describe('an old service that returns less', () => {
  let url = ''
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    const answer = path.includes('/leaderboard')
      ? `{"members":[{"id":${rich},"username":"ada","rank":1,"balance":30,"tokens":30,"wallet":null}]}`
      : path.includes('/web3/')
        ? `{"id":${rich},"wallets":["${evmWallet}"]}`
        : `{"id":${rich},"username":"ada","balances":{"${oldPoint}":30},"held":{"${oldPoint}":7}}`
    response.setHeader('content-type', 'application/json')
    response.end(answer)
  })
  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  })
  after(() => server.close())

  it('numeric ids stay exact, one page is enough, and held points are reported', async () => {
    const args = `move --from ${url} --from-realm old --key k --dry-run --json`
    const refused = await ours.run(args, { cwd: here.path })
    assert.equal(refused.code, 1)
    assert.match(refused.err, new RegExp(`1 opening balance is for members who .*: ${rich}\\..*--add-on-top`))
    const { code, out, err } = await ours.run(`${args} --add-on-top`, { cwd: here.path })
    assert.equal(code, 0, err)
    const totals = { gold: '30' }
    assert.deepEqual(JSON.parse(out), { dryRun: true, members: 1, totals, absent: [], held: 7 })
  })
})
