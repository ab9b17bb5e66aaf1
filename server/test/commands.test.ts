import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { freePort } from '../src/dev/postgres.ts'
import { rowsOf } from './support/books.ts'
import { award, evmWallet, solanaWallet } from './support/fixture.ts'
import { environment, runCommand, startServerProcess } from './support/process.ts'
import { freshDatabase, type TestDatabase } from './support/suite.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(() => database?.drop())

const run = (line: string, extra: Record<string, string> = {}) =>
  runCommand(line.split(' '), environment(database, extra))

/** Runs a command that has to succeed and returns what it printed, read as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
async function json(line: string): Promise<any> {
  const { code, out, err } = await run(line)
  assert.equal(code, 0, err)
  assert.equal(err, '')
  return JSON.parse(out)
}

/** Something that the operator can mend is said in one line, without a trace, and the code is not 0. */
async function saysOnly(line: string, said: RegExp, extra: Record<string, string> = {}): Promise<void> {
  const { code, out, err } = await run(line, extra)
  assert.notEqual(code, 0, line)
  assert.equal(out, '')
  assert.match(err, said)
  assert.equal(err.trimEnd().split('\n').length, 1, err)
}

describe('help', () => {
  const everyCommand = [
    ['serve', 'migrate', 'verify', 'realm create', 'realm list', 'realm change', 'point create'],
    ['member put', 'wallet link', 'wallet unlink', 'key issue', 'key list', 'key revoke'],
    ['person invite', 'person list', 'person link', 'person erase'],
  ].flat()

  for (const line of ['help', '--help']) {
    it(`${line} lists every command and ends well, without any configuration`, async () => {
      const { code, out, err } = await runCommand([line], {})
      assert.equal(code, 0)
      for (const command of everyCommand) assert.ok((out + err).includes(`  ${command}`), command)
    })
  }

  it('without a command the commands are listed', async () => {
    const { out, err } = await runCommand([], {})
    assert.match(out + err, /realm create/)
  })
})

describe('wrong usage', () => {
  it('a command that does not exist is answered with those that do', async () => {
    for (const args of [['frobnicate'], ['realm', 'destroy'], ['realm']]) {
      const { code, err } = await runCommand(args, environment(database))
      assert.equal(code, 2)
      assert.match(err, /realm create/)
    }
  })

  it('too few or too many words are answered with the command’s usage', async () => {
    for (const line of ['key issue', 'member put guild', 'key revoke a b c', 'migrate now']) {
      const { code, out, err } = await run(line)
      assert.equal(code, 2, line)
      assert.equal(out, '')
      assert.match(err, /^usage: [a-z ]+/)
    }
  })

  it('an option that does not exist, or lacks its value, is named', async () => {
    await saysOnly('realm create --colour red', /--colour/)
    await saysOnly('realm create --name', /--name/)
  })

  it('a value that can’t be is told with what can', async () => {
    await saysOnly('realm create --unknown-members maybe', /refuse or create/)
    await saysOnly('verify --against 5', /SEQ:HASH/)
    await saysOnly(`verify --against 5:${'0'.repeat(64)}`, /name it with --realm/)
  })

  it('an id of another form is refused in words, not by a table', async () => {
    await saysOnly('realm create --id no!', /realm id|letters|digits|form/i)
    await saysOnly('realm create --point 1x', /points|letters|digits|form/i)
  })
})

describe('configuration', () => {
  for (const name of ['DATABASE_URL', 'KEY_SECRETS']) {
    it(`without ${name} one sentence says what to set`, async () => {
      await saysOnly('realm list', new RegExp(`^${name} is not set`), { [name]: '' })
      await saysOnly('serve', new RegExp(`^${name} is not set`), { [name]: '' })
    })
  }

  it('what is set and wrong is named with how to mend it', async () => {
    await saysOnly('serve', /KEY_SECRETS.*openssl/, { KEY_SECRETS: 'short' })
    await saysOnly('serve', /OPERATOR_TOKEN.*openssl/, { OPERATOR_TOKEN: 'short' })
    await saysOnly('serve', /PORT is 70000/, { PORT: '70000' })
  })

  it('the secret itself is never printed', async () => {
    const secret = 'not-an-id-and-a-colon-but-a-long-secret-0123456789'
    const { err } = await run('serve', { KEY_SECRETS: secret })
    assert.ok(!err.includes(secret))
  })

  it('a database that does not answer is told in one sentence', async () => {
    const url = `postgres://someone:secret@localhost:${await freePort()}/exchequer`
    const nowhere = { DATABASE_URL: url, DATABASE_OWNER_URL: url }
    for (const line of ['realm list', 'migrate', 'serve', 'verify']) {
      await saysOnly(line, /does not answer|reach/, nowhere)
    }
  })

  it('a host that does not exist is told in one sentence', async () => {
    const url = 'postgres://someone:secret@no-such-host.invalid:5432/exchequer'
    await saysOnly('realm list', /does not answer|reach|host/, { DATABASE_URL: url })
  })

  it('a password or a database that PostgreSQL refuses is told in one sentence', async () => {
    const wrong = new URL(database.serverUrl)
    wrong.password = 'wrong'
    await saysOnly('realm list', /password/, { DATABASE_URL: wrong.href })
    const absent = new URL(database.serverUrl)
    absent.pathname = '/absent'
    await saysOnly('realm list', /absent/, { DATABASE_URL: absent.href })
  })
})

describe('realm, point', () => {
  it('a realm is made as it is asked for, and listed', async () => {
    const created = await json('realm create --id guild --name Guild --unknown-members create --point gold')
    assert.deepEqual(created, {
      id: 'guild',
      name: 'Guild',
      unknownMembers: 'create',
      defaultPointId: 'gold',
      points: [{ id: 'gold', name: 'Points' }],
      rateLimit: 'default',
    })
    const made = await json('realm create')
    assert.match(made.id, /^[0-9a-f]{24}$/)
    const { out } = await run('realm list')
    assert.ok(out.includes('"guild"') && out.includes(made.id))
    await saysOnly('realm create --id guild', /guild already/)
    const { rateLimit } = await json('realm change guild --rate-limit 50:200')
    assert.deepEqual(rateLimit, { rate: 50, burst: 200 })
    assert.equal((await json('realm change guild --rate-limit default')).rateLimit, 'default')
    await saysOnly('key issue guild --rate-limit fast', /--rate-limit is/)
  })

  it('a kind of points is added and made the default, and settings change', async () => {
    const added = await json('point create guild --id silver --name Silver')
    assert.deepEqual(added.points.at(-1), { id: 'silver', name: 'Silver' })
    const changed = await json(
      'realm change guild --default-point silver --unknown-members refuse --name Hall',
    )
    assert.deepEqual(
      [changed.defaultPointId, changed.unknownMembers, changed.name],
      ['silver', 'refuse', 'Hall'],
    )
    await json('realm change guild --default-point gold')
    await saysOnly('realm change guild --default-point none', /none/)
    await saysOnly('point create guild --id silver', /silver already/)
    await saysOnly('point create nowhere', /nowhere/)
  })
})

describe('member, wallet', () => {
  it('a member is made and renamed', async () => {
    const first = await json('member put guild 1190194345295482952 --username fox')
    assert.deepEqual([first.id, first.username, first.displayName], ['1190194345295482952', 'fox', null])
    const second = await json('member put guild 1190194345295482952 --display-name Fox')
    assert.deepEqual([second.username, second.displayName], ['fox', 'Fox'])
    await saysOnly('member put nowhere 1', /nowhere/)
    await saysOnly('member put guild 0', /member id/)
    await saysOnly('wallet link guild 1x abc', /member id/)
  })

  it('wallets are linked and unlinked', async () => {
    const member = '1190194345295482952'
    const linked = await json(`wallet link guild ${member} ${evmWallet.toLowerCase()}`)
    assert.equal(linked[0].address, evmWallet)
    assert.equal((await json(`wallet link guild ${member} ${solanaWallet} --chain solana`)).length, 2)
    const left = await json(`wallet unlink guild ${member} ${evmWallet}`)
    assert.deepEqual(
      left.map((wallet: { address: string }) => wallet.address),
      [solanaWallet],
    )
    await saysOnly(`wallet unlink guild ${member} ${evmWallet}`, /no wallet/)
    await saysOnly(`wallet link guild ${member} nonsense`, /address/)
    await saysOnly(`wallet link guild 5 ${evmWallet}`, /no member 5/)
  })
})

describe('key', () => {
  it('a key is issued, listed without its text, revoked, and does what it may meanwhile', async () => {
    const server = await startServerProcess(environment(database, { LOG_LEVEL: 'info' }))
    try {
      const issued = await json('key issue guild --name bot')
      assert.match(issued.key, /^exq_[0-9A-Za-z]{36}$/)
      await award(
        server.baseUrl,
        { id: 'guild', key: issued.key, pointId: 'gold' },
        { '1190194345295482952': 5 },
      )
      const listed = await run('key list guild')
      assert.ok(!listed.out.includes(issued.key))
      assert.equal(JSON.parse(listed.out)[0].name, 'bot')
      const revoked = await json(`key revoke guild ${issued.id}`)
      assert.ok(revoked.revokedAt)
      const url = `${server.baseUrl}/api/v4/realms/guild/members/1`
      const startMs = Date.now()
      const status = async () => (await fetch(url, { headers: { authorization: issued.key } })).status
      while ((await status()) !== 401) assert.ok(Date.now() - startMs < 1_000, 'the key still opens')
      await saysOnly('key revoke guild 99', /no key 99/)
    } finally {
      assert.equal(await server.stop(), 0)
    }
  })
})

describe('migrate', () => {
  it('on a schema that is up to date it does nothing and ends well', async () => {
    assert.deepEqual(await run('migrate'), { code: 0, out: '', err: '' })
  })

  it('an empty database gets its schema, step by step', async () => {
    const fresh = await freshDatabase('template0')
    try {
      const { code, err } = await runCommand(['migrate'], environment(fresh))
      assert.equal(code, 0)
      assert.match(err, /^migrated: 1 foundation$/m)
      assert.equal((await runCommand(['realm', 'create'], environment(fresh))).code, 0)
    } finally {
      await fresh.drop()
    }
  })
})

describe('verify', () => {
  it('right books end with 0 and a checkpoint for each realm, which holds against them', async () => {
    const { code, out } = await run('verify')
    assert.equal(code, 0)
    const [, checkpoint] = /^guild: ok (1:[0-9a-f]{64})$/m.exec(out) ?? []
    assert.ok(checkpoint, out)
    assert.match(out, /^[0-9a-f]{24}: ok 0:[0-9a-f]{64}$/m)
    const one = await run(`verify --realm guild --against ${checkpoint}`)
    assert.deepEqual([one.code, one.out], [0, `guild: ok ${checkpoint}\n`])
  })

  it('in a hurry it prints the same, and either way ends with how many entries and how fast', async () => {
    const [usual, hurried] = [await run('verify'), await run('verify --hurry')]
    assert.equal(hurried.code, 0)
    assert.equal(hurried.out, usual.out)
    for (const { err } of [usual, hurried]) assert.match(err, /^1 entries in \d+\.\d s, \d+\/s\n$/m)
  })

  it('a checkpoint that the books do not hold ends with 1', async () => {
    const other = await run(`verify --realm guild --against 1:${'0'.repeat(64)}`)
    assert.equal(other.code, 1)
    assert.match(other.out, /^guild: WRONG at entry 1: .*rewritten/)
    const missing = await run(`verify --realm guild --against 9:${'0'.repeat(64)}`)
    assert.equal(missing.code, 1)
    assert.match(missing.out, /WRONG at entry 2: missing/)
  })

  it('a balance that the journal does not tell ends with 1, and names its place', async () => {
    await rowsOf(database.superuserUrl, 'update balances set balance = balance + 1')
    const { code, out } = await run('verify')
    assert.equal(code, 1)
    assert.match(out, /^guild: WRONG at balance of account 1 in gold: 6 is stored, 5 is right$/m)
    assert.match(out, /^[0-9a-f]{24}: ok/m)
    await rowsOf(database.superuserUrl, 'update balances set balance = balance - 1')
    assert.equal((await run('verify')).code, 0)
  })

  it('an entry that was changed past the server ends with 1', async () => {
    await rowsOf(
      database.superuserUrl,
      `set session_replication_role = replica; update journal set amount = amount + 1`,
    )
    for (const line of ['verify --realm guild', 'verify --realm guild --hurry']) {
      const { code, out, err } = await run(line)
      assert.equal(code, 1)
      assert.match(out, /^guild: WRONG at entry 1: its hash is not that of its contents/)
      assert.match(err, /^0 entries in /m)
    }
  })

  it('a realm that is not there is told in one sentence', async () => {
    await saysOnly('verify --realm nowhere', /nowhere/)
  })
})
