import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../tests/support/books.ts'
import { award, makeRealm } from '../../tests/support/fixture.ts'
import {
  environment,
  operatorToken,
  runCommand,
  type ServerProcess,
  startServerProcess,
} from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { serverRole } from '../src/dev/prepare.ts'

let database: TestDatabase
let server: ServerProcess
let guild: Awaited<ReturnType<typeof makeRealm>>

const run = (line: string) => runCommand(line.split(' '), environment(database))
const sql = (text: string) => rowsOf(database.superuserUrl, text)
const acts = async (): Promise<string[]> => {
  const rows = await sql(`select action || ' ' || subject as act from audit where realm = 0 order by at`)
  return rows.map(({ act }) => act)
}

/** A member with more entries than are replayed whole. */
const entries = 1_200

before(async () => {
  database = await freshDatabase()
  server = await startServerProcess(environment(database))
  const access = { baseUrl: server.baseUrl, token: operatorToken }
  const settings = { unknownMembers: 'create', point: { id: 'gold' } } as const
  guild = await makeRealm(access, { id: 'guild', ...settings })
  for (const id of ['clan', 'crew']) await makeRealm(access, { id, ...settings })
  for (let sent = 0; sent < entries; sent += 100) await awardTo(Array.from({ length: 100 }, (_, n) => n + 1))
})
after(async () => {
  await server?.stop()
  await database?.drop()
})

const awardTo = (members: readonly number[]) =>
  Promise.all(members.map((member) => award(server.baseUrl, guild, { [member]: 5 })))

describe('a run after another', () => {
  it('replays what is new, and says how much it took from earlier runs', async () => {
    const first = await run('verify')
    assert.equal(first.code, 0, first.out)
    assert.match(first.err, /^replayed: 1200 new entries, 0 older ones$/m)
    assert.doesNotMatch(first.err, /not replayed/)
    await awardTo([1, 2, 3])
    const second = await run('verify')
    assert.equal(second.code, 0, second.out)
    assert.match(second.out, /^guild: ok 1203:[0-9a-f]{64}$/m)
    assert.match(second.err, /^replayed: 3 new entries, 0 older ones$/m)
    assert.match(second.err, /^not replayed: 1200 entries, verified by earlier runs \(20\d\d-.*Z\)$/m)
    const third = await run('verify')
    assert.match(third.err, /^replayed: 0 new entries, 0 older ones$/m)
    assert.match(third.err, /^not replayed: 1203 entries/m)
    assert.match(third.out, /^guild: ok 1203:[0-9a-f]{64}$/m)
    assert.deepEqual(await acts(), Array(3).fill('verify.ok 3 realms'))
  })

  it('replays everything within 30 runs', async () => {
    await sql('update verified set slice = 28, entry = 0 where realm = 1')
    const older = [await run('verify --realm guild'), await run('verify --realm guild')].map(
      ({ err }) => /(\d+) older ones/.exec(err)?.[1],
    )
    assert.deepEqual(older, ['0', '1203'])
    assert.deepEqual(await sql('select slice, entry, account from verified where realm = 1'), [
      { slice: 0, entry: '0', account: 0 },
    ])
  })

  it('replays everything with --full', async () => {
    const { code, err } = await run('verify --full --realm guild')
    assert.equal(code, 0)
    assert.match(err, /^replayed: 0 new entries, 1203 older ones$/m)
  })

  it('verifies a database that it may not write to', async () => {
    await sql(`revoke insert, update on verified from ${serverRole}`)
    try {
      const { code, out, err } = await run('verify --full --hurry')
      assert.equal(code, 0)
      assert.match(out, /^guild: ok 1203:/m)
      assert.equal(err.match(/How far it was verified could not be stored/g)?.length, 1, err)
    } finally {
      await sql(`grant insert, update on verified to ${serverRole}`)
    }
  })
})

describe('what an earlier run stored', () => {
  const restore = async (change: string, look: () => Promise<void>) => {
    await sql('create table saved as select * from verified')
    try {
      await sql(change)
      await look()
    } finally {
      await sql('delete from verified; insert into verified select * from saved; drop table saved')
    }
  }

  it('must still be in the journal, until --forget', async () => {
    const ahead = `update verified set seq = 2000 where realm = 1`
    await restore(ahead, async () => {
      for (const line of ['verify --realm guild', 'verify --realm guild', 'verify --full --realm guild']) {
        const { code, out } = await run(line)
        assert.equal(code, 1, line)
        assert.match(out, /^guild: WRONG at entry 1204: missing: entry 2000 was verified at 20/)
      }
      assert.equal((await run('verify --forget --realm guild')).code, 0)
      assert.equal((await run('verify --realm guild')).code, 0)
    })
  })

  it('must have the same hash', async () => {
    await restore(`update verified set hash = sha256('') where realm = 1`, async () => {
      for (const line of ['verify --realm guild', 'verify', 'verify --full --hurry']) {
        const { code, out } = await run(line)
        assert.equal(code, 1, line)
        assert.match(out, /^guild: WRONG at entry 1203: its hash is .* was verified at 20.*rewritten$/m)
      }
      assert.match((await acts()).at(-1) ?? '', /^verify\.wrong 1 of 3 realms$/)
    })
  })
})

describe('--shard', () => {
  it('verifies each realm in one of the shards, and records when all are done', async () => {
    const before = (await acts()).length
    const listed: string[] = []
    for (const shard of ['1/3', '3/3', '2/3']) {
      assert.equal((await acts()).length, before, `before shard ${shard}`)
      const { code, out } = await run(`verify --shard ${shard}`)
      assert.equal(code, 0)
      listed.push(...out.trimEnd().split('\n'))
    }
    assert.deepEqual(listed.map((line) => line.split(':')[0] ?? '').toSorted(), ['clan', 'crew', 'guild'])
    const after = await acts()
    assert.deepEqual(after.slice(before), ['verify.ok 1 realms, shard 2/3'])
    await run('verify --shard 2/3')
    assert.equal((await acts()).length, before + 1)
  })

  for (const text of ['0/3', '4/3', '3', 'a/b', '1/0']) {
    it(`rejects ${text}`, async () => {
      const { code, err } = await run(`verify --shard ${text}`)
      assert.notEqual(code, 0)
      assert.match(err, /--shard must be I\/N/)
    })
  }

  it('is for all realms', async () => {
    assert.match((await run('verify --shard 1/2 --realm guild')).err, /remove --realm/)
  })
})
