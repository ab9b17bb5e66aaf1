import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../tests/support/books.ts'
import { award, makeRealm } from '../../tests/support/fixture.ts'
import { environment, operatorToken, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'
import { freePort } from '../src/dev/postgres.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
  const server = await startServerProcess(environment(database))
  const access = { baseUrl: server.baseUrl, token: operatorToken }
  const guild = await makeRealm(access, { id: 'guild', unknownMembers: 'create', point: { id: 'gold' } })
  await award(server.baseUrl, guild, { '1190194345295482952': 5 })
  await makeRealm(access)
  assert.equal(await server.stop(), 0)
})
after(() => database?.drop())

const run = (line: string, extra: Record<string, string> = {}) =>
  runCommand(line.split(' '), environment(database, extra))

/** An error that the operator can fix is printed in one line, without a stack trace, and exits non-zero. */
async function saysOnly(line: string, said: RegExp, extra: Record<string, string> = {}): Promise<void> {
  const { code, out, err } = await run(line, extra)
  assert.notEqual(code, 0, line)
  assert.equal(out, '')
  assert.match(err, said)
  assert.equal(err.trimEnd().split('\n').length, 1, err)
}

describe('help', () => {
  const everyCommand = [
    ['serve', 'migrate', 'verify', 'import', 'realm export', 'realm import', 'realm purge'],
    ['realm move', 'leaderboards check', 'leaderboards rebuild', 'token issue', 'operator invite'],
    ['secret list', 'secret encrypt'],
    ['checkpoint keygen', 'cell list', 'cell add', 'cell set', 'haproxy-map'],
  ].flat()

  for (const line of ['help', '--help']) {
    it(`${line} lists every command and exits with 0, without any configuration`, async () => {
      const { code, out, err } = await runCommand([line], {})
      assert.equal(code, 0)
      const listed = [...(out + err).matchAll(/^ {2}(?! )([a-z -]+?)(?= [<[]|$)/gm)].map(([, words]) => words)
      assert.deepEqual(listed, everyCommand)
    })
  }

  it('without a command, the commands are listed', async () => {
    const { out, err } = await runCommand([], {})
    assert.match(out + err, /realm export/)
  })
})

describe('wrong usage', () => {
  it('an unknown command prints the list of commands', async () => {
    for (const args of [['frobnicate'], ['realm', 'create'], ['key', 'issue'], ['realm']]) {
      const { code, err } = await runCommand(args, environment(database))
      assert.equal(code, 2)
      assert.match(err, /realm export/)
    }
  })

  it('a mistyped command prints the likely one', async () => {
    for (const [line, meant] of [
      ['migarte', 'migrate'],
      ['realm exprot a b', 'realm export'],
      ['tokens issue ann', 'token issue'],
    ] as const) {
      const { code, err } = await runCommand(line.split(' '), environment(database))
      assert.equal(code, 2)
      assert.match(err, new RegExp(`^Unknown command \`.*\`\\. Did you mean \`${meant}\`\\?\n`))
    }
  })

  it('too few or too many arguments print the command’s usage', async () => {
    for (const line of ['token issue', 'realm export', 'realm import a b', 'migrate now']) {
      const { code, out, err } = await run(line)
      assert.equal(code, 2, line)
      assert.equal(out, '')
      assert.match(err, /^usage: [a-z ]+/)
    }
  })

  it('an unknown option, or one without its value, is named', async () => {
    await saysOnly('verify --colour red', /--colour/)
    await saysOnly('verify --realm', /--realm/)
  })

  it('an invalid value is rejected with what is valid', async () => {
    await saysOnly('token issue ann --expires soon', /soon is not a valid time/)
    await saysOnly('verify --against 5', /SEQ:HASH/)
    await saysOnly(`verify --against 5:${'0'.repeat(64)}`, /set it with --realm/)
  })
})

describe('configuration', () => {
  for (const name of ['DATABASE_URL', 'KEY_SECRETS']) {
    it(`without ${name} one sentence says which variable to set`, async () => {
      await saysOnly('leaderboards check', new RegExp(`^${name} is not set`), { [name]: '' })
      await saysOnly('serve', new RegExp(`^${name} is not set`), { [name]: '' })
    })
  }

  it('an invalid setting is named, with how to fix it', async () => {
    await saysOnly('serve', /KEY_SECRETS.*openssl/, { KEY_SECRETS: 'short' })
    await saysOnly('serve', /OPERATOR_TOKEN.*openssl/, { OPERATOR_TOKEN: 'short' })
    await saysOnly('serve', /PORT is 70000/, { PORT: '70000' })
  })

  it('the secret itself is never printed', async () => {
    const secret = 'not-an-id-and-a-colon-but-a-long-secret-0123456789'
    const { err } = await run('serve', { KEY_SECRETS: secret })
    assert.ok(!err.includes(secret))
  })

  it('a database that does not respond is reported in one sentence', async () => {
    const url = `postgres://someone:secret@localhost:${await freePort()}/exchequer`
    const nowhere = { DATABASE_URL: url, DATABASE_OWNER_URL: url }
    for (const line of ['leaderboards check', 'migrate', 'serve', 'verify']) {
      await saysOnly(line, /does not answer|reach/, nowhere)
    }
  })

  it('an unknown host is reported in one sentence', async () => {
    const url = 'postgres://someone:secret@no-such-host.invalid:5432/exchequer'
    await saysOnly('leaderboards check', /does not answer|reach|host/, { DATABASE_URL: url })
  })

  it('a password or a database that PostgreSQL rejects is reported in one sentence', async () => {
    const wrong = new URL(database.serverUrl)
    wrong.password = 'wrong'
    await saysOnly('leaderboards check', /password/, { DATABASE_URL: wrong.href })
    const absent = new URL(database.serverUrl)
    absent.pathname = '/absent'
    await saysOnly('leaderboards check', /absent/, { DATABASE_URL: absent.href })
  })
})

describe('migrate', () => {
  it('does nothing and exits with 0 when the schema is up to date', async () => {
    assert.deepEqual(await run('migrate'), { code: 0, out: '', err: '' })
  })

  it('an empty database gets its schema, step by step', async () => {
    const fresh = await freshDatabase('template0')
    try {
      const { code, err } = await runCommand(['migrate'], environment(fresh))
      assert.equal(code, 0)
      assert.match(err, /^migrated: 1 schema$/m)
      assert.equal((await runCommand(['token', 'issue', 'ann'], environment(fresh))).code, 0)
    } finally {
      await fresh.drop()
    }
  })
})

describe('verify', () => {
  it('exits with 0 for a valid ledger, and prints a checkpoint for each realm, which verifies', async () => {
    const { code, out } = await run('verify')
    assert.equal(code, 0)
    const [, checkpoint] = /^guild: ok (1:[0-9a-f]{64})$/m.exec(out) ?? []
    assert.ok(checkpoint, out)
    assert.match(out, /^[0-9a-f]{24}: ok 0:[0-9a-f]{64}$/m)
    const one = await run(`verify --realm guild --against ${checkpoint}`)
    assert.deepEqual([one.code, one.out], [0, `guild: ok ${checkpoint}\n`])
  })

  it('prints the same with --hurry, and ends with the number of entries and the speed', async () => {
    const [usual, hurried] = [await run('verify --full'), await run('verify --full --hurry')]
    assert.equal(hurried.code, 0)
    assert.equal(hurried.out, usual.out)
    for (const { err } of [usual, hurried]) assert.match(err, /^1 entries in \d+\.\d s, \d+\/s\n$/m)
  })

  it('exits with 1 for a checkpoint that is not in the ledger', async () => {
    const other = await run(`verify --realm guild --against 1:${'0'.repeat(64)}`)
    assert.equal(other.code, 1)
    assert.match(other.out, /^guild: WRONG at entry 1: .*rewritten/)
    const missing = await run(`verify --realm guild --against 9:${'0'.repeat(64)}`)
    assert.equal(missing.code, 1)
    assert.match(missing.out, /WRONG at entry 2: missing/)
    assert.equal((await run('verify')).code, 0)
  })

  it('exits with 1 for a balance that differs from the journal, and names it', async () => {
    await rowsOf(database.superuserUrl, 'update balances set balance = balance + 1')
    const { code, out } = await run('verify --full')
    assert.equal(code, 1)
    assert.match(out, /^guild: WRONG at balance of account 1 in gold: 6 is stored, 5 is right$/m)
    assert.match(out, /^[0-9a-f]{24}: ok/m)
    await rowsOf(database.superuserUrl, 'update balances set balance = balance - 1')
    assert.equal((await run('verify')).code, 0)
  })

  it('exits with 1 for an entry that was changed in the database', async () => {
    await rowsOf(
      database.superuserUrl,
      `set session_replication_role = replica; update journal set amount = amount + 1`,
    )
    // Once found, every run replays the realm whole.
    for (const line of ['verify --realm guild --full', 'verify --realm guild', 'verify --hurry']) {
      const { code, out, err } = await run(line)
      assert.equal(code, 1, line)
      assert.match(out, /^guild: WRONG at entry 1: its hash is not that of its contents/)
      assert.match(err, /^0 entries in /m)
    }
  })

  it('an unknown realm is reported in one sentence', async () => {
    await saysOnly('verify --realm nowhere', /nowhere/)
  })
})
