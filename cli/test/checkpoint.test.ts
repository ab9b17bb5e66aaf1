import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCheckpointKey } from '../../server/src/events/checkpoints/index.ts'
import { hashOf } from '../../server/src/ledger/rules/chain.ts'
import { originHash } from '../../server/src/realms/index.ts'
import { assertBooks, rowsOf } from '../../tests/support/books.ts'
import { poor, rich } from '../../tests/support/fixture.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { folder, run } from './support/run.ts'

const [ours, other] = [createCheckpointKey('points.example.com'), createCheckpointKey('points.example.com')]
const made = suite({ CHECKPOINT_KEY: ours?.signer ?? '' })
const here = folder()
const [note, honest, rewritten] = ['note.txt', 'honest.ndjson', 'rewritten.ndjson'].map((name) =>
  join(here.path, name),
) as [string, string, string]
const key = here.file('server.pub', `${ours?.verifier}\n`)
let cli: ReturnType<typeof commandLine>
let realmId: string

/** Without a server, a login or a network. */
const offline = (...args: string[]) => run(['verify', ...args], { env: { HOME: '/nonexistent' } })

before(async () => {
  const realm = await realmWithKey(made.app.url, { unknownMembers: 'create', point: { id: 'gold' } })
  realmId = realm.id
  cli = commandLine(made.app.url, realm)
  await cli.run(`points award ${rich} 5 --reason quest`)
  await cli.run(`points award ${rich} 10`)
  await cli.run(`points transfer ${rich} ${poor} 3`)
  await sleep(10_300)
  const { out } = await cli.run('checkpoint show')
  here.file('note.txt', out)
  await cli.run(`points award ${rich} 1`)
  await cli.run(`export realm -o ${honest}`)
})

describe('verify --against a signed checkpoint', () => {
  it('accepts a history that only grew since, offline', async () => {
    const { code, out, err } = await offline(honest, '--against', note, '--key', key)
    assert.equal(code, 0, err)
    assert.match(out, /: ok 4:[0-9a-f]{64}\n$/)
    const origin = `points\\.example\\.com/realms/${realmId}/journal`
    assert.match(err, new RegExp(`Entry 3 is as ${origin} signed it at 20.*Z\\.\n$`))
  })

  it('accepts the note from standard input, the key as text, and prints both in JSON', async () => {
    const input = readFileSync(note, 'utf8')
    const args = [honest, '--against', '-', '--key', ours?.verifier ?? '', '--json']
    const { code, out } = await run(['verify', ...args], { input, env: { HOME: '/nonexistent' } })
    assert.equal(code, 0)
    const { ok, checkpoint } = JSON.parse(out)
    assert.deepEqual([ok, checkpoint.seq, checkpoint.key], [true, '3', ours?.verifier])
  })

  it('reads the journal and the key from the server, and warns that it could lie', async () => {
    const { code, err } = await cli.run(`verify --against ${note}`)
    assert.equal(code, 0, err)
    assert.match(err, /^Warning: the public key comes from http.*store the key with your note/)
  })

  it('rejects a note that was changed, or that another key signed', async () => {
    const changed = here.file('changed.txt', readFileSync(note, 'utf8').replace('\n3\n', '\n2\n'))
    for (const args of [
      ['--against', changed, '--key', key],
      ['--against', note, '--key', other?.verifier ?? ''],
    ]) {
      const { code, err } = await offline(honest, ...args)
      assert.equal(code, 1)
      assert.match(err, /WRONG at the note: no given key has signed it, or it was changed\./)
    }
  })

  it('rejects a note of another realm', async () => {
    const club = await realmWithKey(made.app.url)
    const file = join(here.path, 'club.ndjson')
    await commandLine(made.app.url, club).run(`export realm -o ${file}`)
    const { code, err } = await offline(file, '--against', note, '--key', key)
    assert.equal(code, 1)
    assert.match(err, new RegExp(`WRONG at the note: it is of the realm ${realmId}, not of ${club.id}`))
  })

  it('says what is missing: a key, a file, or the note itself', async () => {
    const without = await offline(honest, '--against', note)
    assert.deepEqual([without.code, without.out], [2, ''])
    assert.match(without.err, /needs the public key of its server: give it with --key/)
    const absent = await offline(honest, '--against', join(here.path, 'absent'))
    assert.equal(absent.code, 2)
    assert.match(absent.err, /absent can’t be read \(ENOENT\)/)
    assert.equal((await offline(honest, '--key', key)).code, 2)
    const large = await offline(honest, '--against', here.file('large', 'x'.repeat(70_000)), '--key', key)
    assert.match(large.err, /is too large for a signed note/)
  })
})

/** Doubles the first award, and computes every balance and hash after it again, as a superuser can. */
async function rewriteHistory(): Promise<void> {
  const url = made.database.superuserUrl
  const [{ realm }] = await rowsOf(url, 'select realm from realms where id = $1', [realmId])
  const rows = await rowsOf(url, 'select * from journal where realm = $1 order by seq', [realm])
  const member = rows[0].to_account
  let hash = originHash(realmId)
  const changes: string[] = []
  for (const row of rows) {
    if (row.seq === '1') row.amount = '10'
    for (const side of ['from', 'to'])
      if (row[`${side}_account`] === member)
        row[`${side}_balance`] = String(BigInt(row[`${side}_balance`]) + 5n)
    hash = hashOf(hash, {
      seq: row.seq,
      atUs: row.at_us,
      kind: row.kind,
      key: row.key,
      point: 'gold',
      from: row.from_account,
      to: row.to_account,
      amount: row.amount,
      fromBalance: row.from_balance,
      toBalance: row.to_balance,
      request: row.request,
      fingerprint: row.fingerprint,
      detailsHash: row.details_hash?.toString('hex') ?? null,
      link: row.link,
    })
    const balances = `from_balance = ${row.from_balance}, to_balance = ${row.to_balance}`
    changes.push(
      `update journal set amount = ${row.amount}, ${balances}, hash = '\\x${hash}'
        where realm = ${realm} and seq = ${row.seq}`,
    )
  }
  await rowsOf(
    url,
    `set session_replication_role = replica; ${changes.join(';')};
      update heads set hash = '\\x${hash}' where realm = ${realm};
      update balances set balance = balance + 5 where realm = ${realm} and account = ${member}`,
  )
}

describe('a rewritten history', () => {
  it('is caught by yesterday’s checkpoint alone, offline', async () => {
    await rewriteHistory()
    // Everything fits: the server’s own verify, and the export by itself.
    await assertBooks(made.database)
    await cli.run(`export realm -o ${rewritten}`)
    assert.match(readFileSync(rewritten, 'utf8'), /"seq":"1".*"tokens":"10"/)
    const alone = await offline(rewritten)
    assert.equal(alone.code, 0, alone.err)
    assert.match(alone.err, /4 entries verified, every balance too\. Nothing was altered\./)
    const { code, out, err } = await offline(rewritten, '--against', note, '--key', key)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /WRONG at entry 3: its hash is [0-9a-f]{64}, but the one you gave is [0-9a-f]{64}\./)
  })

  it('is caught on the server too, by a note that was signed before', async () => {
    const { code, err } = await cli.run(`verify --against ${note} --key ${key}`)
    assert.equal(code, 1)
    assert.match(err, /WRONG at entry 3/)
  })
})
