import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { evmWallet, poor, rich, solanaWallet } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { run, words } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
let url: string
suite({}, async ({ app }) => {
  url = app.url
  cli = commandLine(url, await realmWithKey(url, { name: 'Guild', point: { id: 'gold' } }))
})
const operate = (line: string, realm?: string) =>
  run(words(line), {
    env: {
      HOME: '/nonexistent',
      EXCHEQUER_URL: url,
      EXCHEQUER_TOKEN: operatorToken,
      ...(realm ? { EXCHEQUER_REALM: realm } : {}),
    },
  })

describe('members', () => {
  it('are created, changed and shown', async () => {
    const made = await cli.run(
      `members create ${rich} --username ada --display-name "Ada L." --note "a founder"`,
    )
    assert.equal(made.code, 0)
    assert.match(made.out, /^display name {2}Ada L\.$/m)
    await cli.run(`members create ${poor} --username adamant --hidden yes`)
    const shown = await cli.json<{ id: string; note: string; balances: object }>(`members show ${rich}`)
    assert.deepEqual([shown.id, shown.note, shown.balances], [rich, 'a founder', { gold: 0 }])
    const emptied = await cli.run(`members update ${rich} --note "" --display-name=`)
    assert.equal(emptied.code, 0, emptied.err)
    const { note, username } = await cli.json<{ note: string; username: string }>(`members show ${rich}`)
    assert.deepEqual([note, username], [null, 'ada'])
  })

  it('can be created once, and updated only when they exist', async () => {
    const again = await cli.run(`members create ${rich} --username eve`)
    assert.equal(again.code, 1)
    assert.match(again.err, new RegExp(`already exists\\. To change it: exchequer members update ${rich}\n`))
    const absent = await cli.run('members update 42 --username eve')
    assert.equal(absent.code, 1)
    assert.match(absent.err, /42 does not exist\. To create it: exchequer members create 42\n/)
    assert.equal((await cli.run(`members update ${rich}`)).code, 2)
  })

  it('are shown to a key that may only read, without managers’ notes', async () => {
    const { key } = await cli.json<{ key: string }>('keys create --name reader --scopes members:read')
    await cli.run(`members update ${rich} --note secret`)
    const { code, out, err } = await cli.run(`members show ${rich}`, { env: { EXCHEQUER_KEY: key } })
    await cli.run(`members update ${rich} --note ""`)
    assert.equal(code, 0, err)
    assert.match(out, /^gold {2,}0$/m)
    assert.doesNotMatch(out, /secret/)
    assert.match(err, /lacks the scope members:write/)
  })

  it('are listed and found, with full ids', async () => {
    const { out } = await cli.run('members list')
    assert.match(out, /^ID {19}NAME {5}gold {2}JOINED {12}STATE\n/)
    assert.match(out, new RegExp(`^${poor} {2}adamant {5}0 {2}[0-9: -]{16} {2}hidden$`, 'm'))
    const found = await cli.json<{ id: string }[]>('members list --search ADAM')
    assert.deepEqual(
      found.map(({ id }) => id),
      [poor],
    )
    const first = await cli.run('members list --limit 1')
    assert.match(first.err, /The first 1\. For more, give --limit N or --all\./)
    assert.equal((await cli.run('members list --search xyzzy')).err, 'No member matches.\n')
  })

  it('a frozen member can’t spend points', async () => {
    await cli.run(`points award ${rich} 5`)
    assert.match((await cli.run(`members update ${rich} --frozen yes`)).out, /^frozen +yes$/m)
    assert.equal((await cli.run(`points deduct ${rich} 1`)).code, 1)
    await cli.run(`members update ${rich} --frozen no`)
    assert.equal((await cli.run(`points deduct ${rich} 5`)).code, 0)
  })

  it('are deleted and erased only after confirmation', async () => {
    const unasked = await cli.run(`members delete ${poor}`)
    assert.equal(unasked.code, 5)
    assert.match(unasked.err, /can't be undone\.\nThere is no terminal to ask at: give --yes to confirm\.\n$/)
    assert.equal((await cli.run(`members show ${poor}`)).code, 0)
    assert.equal((await cli.run(`members delete ${poor} --yes`)).out, `${poor} is deleted.\n`)
    assert.equal((await cli.run(`members show ${poor}`)).code, 1)
    const erased = await cli.run(`members erase ${rich} -y`)
    assert.match(erased.out, new RegExp(`^${rich} is erased\\.`))
  })
})

describe('identities', () => {
  it('are linked, listed and unlinked, and name the member in other commands', async () => {
    await cli.run('members create 5150 --username eddie')
    const linked = await cli.run('identities link 5150 shop:9f1c --name Ed')
    assert.match(linked.out, /^shop:9f1c {2}Ed /m, linked.err)
    assert.equal((await cli.run('points award shop:9f1c 4')).code, 0)
    assert.match((await cli.run('members show shop:9f1c')).out, /^id +5150$/m)
    const listed = await cli.json<{ identity: string }[]>('identities list 5150')
    assert.deepEqual(
      listed.map(({ identity }) => identity),
      ['shop:9f1c'],
    )
    assert.equal((await cli.run('identities link 5150 nothing')).code, 2)
    assert.equal((await cli.run('identities unlink 5150 shop:9f1c')).code, 5)
    const unlinked = await cli.run('identities unlink 5150 shop:9f1c --yes')
    assert.equal(unlinked.out, 'shop:9f1c is unlinked.\n')
    assert.equal((await cli.run('members show shop:9f1c')).code, 1)
    const address = await cli.run('identities link 5150 email:Ed@example.org')
    const [hash = ''] = /^email:[0-9a-f]{64}/m.exec(address.out) ?? []
    assert.match((await cli.run(`members show ${hash}`)).out, /^id +5150$/m, address.err)
    const inUrl = await cli.run('points award email:ed@example.org 4')
    assert.deepEqual(
      [inUrl.code, /An e-mail address can’t be used here/.test(inUrl.err)],
      [2, true],
      inUrl.err,
    )
    assert.equal((await cli.run('points award 5150 9 --actor-id email:ed@example.org')).code, 0)
    assert.equal((await cli.run('points transfer 5150 email:ed@example.org 1')).code, 1)
    assert.equal((await cli.run(`identities unlink 5150 ${hash} --yes`)).code, 0)
    assert.match((await cli.run('members create crm:7')).out, /^id +[4-9][0-9]{18}$/m)
  })
})

describe('wallets', () => {
  it('are linked, listed, checked and unlinked', async () => {
    await cli.run(`members create ${rich} --username ada`)
    const linked = await cli.run(`wallets link ${rich} ${evmWallet.toLowerCase()}`)
    assert.match(linked.out, new RegExp(`^${evmWallet} {2}eip155 {2}no {8}`, 'm'))
    const checked = await cli.run(`wallets check ${evmWallet} ${solanaWallet}`)
    assert.equal(checked.code, 1)
    assert.match(checked.out, new RegExp(`${evmWallet} +${rich}\n${solanaWallet} +none`))
    assert.equal((await cli.run(`wallets check ${evmWallet}`)).code, 0)
    assert.equal((await cli.json<{ address: string }[]>(`wallets list ${rich}`))[0]?.address, evmWallet)
    assert.equal((await cli.run(`wallets unlink ${rich} ${evmWallet}`)).code, 5)
    const unlinked = await cli.run(`wallets unlink ${rich} ${evmWallet} --yes`)
    assert.equal(unlinked.out, `${evmWallet} is unlinked.\n`)
  })
})

describe('keys', () => {
  it('are printed alone on standard output when created, renamed, rotated and revoked', async () => {
    const { code, out, err } = await cli.run('keys create --name bot --scopes members:read,points:write')
    assert.equal(code, 0)
    assert.match(out, /^exq_\w+\n$/)
    const [, id = ''] = /^Key (\d+)\. It is shown only once/.exec(err) ?? []
    assert.equal(
      (await cli.json<{ name: string }>(`keys update ${id} --name robot --expires-at 2099-01-31`)).name,
      'robot',
    )
    const rotated = await cli.json<{ id: string; key: string }>(`keys rotate ${id} --overlap-seconds 0`)
    assert.match(rotated.key, /^exq_/)
    const revoked = await cli.run(`keys revoke ${rotated.id} --yes`)
    assert.equal(revoked.out, `Key ${rotated.id} (robot) is revoked.\n`)
    assert.doesNotMatch((await cli.run('keys list')).out, /robot/)
    const listed = await cli.run('keys list --status revoked')
    assert.match(listed.out, /robot .* members:read points:write .* revoked /)
    assert.doesNotMatch(listed.out, /exq_/)
  })

  it('have limits of points, which are listed, changed and removed', async () => {
    const { err } = await cli.run('keys create --name agent --max-per-change 100 --max-per-day 1000')
    const [, id = ''] = /^Key (\d+)\./.exec(err) ?? []
    assert.match((await cli.run(`keys show ${id}`)).out, /100 a change, 1000 a day/)
    const changed = await cli.json<{ maxPerChange: number; maxPerDay: null }>(
      `keys update ${id} --max-per-change 5 --max-per-day none`,
    )
    assert.deepEqual([changed.maxPerChange, changed.maxPerDay], [5, null])
    assert.equal((await cli.run(`keys update ${id} --max-per-day 0`)).code, 2)
    await cli.run(`keys revoke ${id} --yes`)
  })

  it('an unknown scope is reported, with the list of valid ones', async () => {
    const { code, err } = await cli.run('keys create --scopes points:wirte')
    assert.equal(code, 2)
    assert.match(err, /"points:wirte" is not a scope\. Scopes are members:read, /)
  })

  it('a key without the permission gets a message that says what has it', async () => {
    const { out } = await cli.run('keys create --scopes members:read')
    const { code, err } = await cli.run(`points award ${rich} 1`, { env: { EXCHEQUER_KEY: out.trim() } })
    assert.equal(code, 4)
    assert.match(err, /exchequer keys create --scopes/)
  })
})

describe('an operator', () => {
  it('creates realms, lists them, changes them and issues their keys', async () => {
    const made = await operate('realms create arena --name Arena --point-type gems --unknown-members create')
    assert.equal(made.code, 0)
    assert.match(made.err, /exchequer keys create --realm arena/)
    assert.match((await operate('realms list')).out, /^arena +Arena +gems +create +/m)
    const limited = await operate('realms update --realm arena --rate-limit 500:900 --json')
    assert.deepEqual(JSON.parse(limited.out).rateLimit, { rate: 500, burst: 900 })
    assert.equal((await operate('realms update --realm arena --rate-limit 500')).code, 2)
    assert.equal((await operate('realms update --realm arena --name "The Arena"')).code, 4)
    assert.equal((await operate('realms update --realm arena --name x --rate-limit off')).code, 4)
    assert.equal((await cli.run('realms update --rate-limit off')).code, 4)
    assert.match(
      (await cli.run('realms update --time-zone Europe/Berlin')).out,
      /^time zone +Europe\/Berlin$/m,
    )
    assert.equal((await operate('realms update --realm arena')).code, 2)
    const scopes = 'members:read,points:write,wallets:write,realm:admin'
    const key = (await operate(`keys create --realm arena --name bot --scopes ${scopes}`)).out.trim()
    const arena = commandLine(url, { id: 'arena', key })
    assert.match((await arena.run('realms update --name "The Arena"')).out, /^name +The Arena$/m)
    assert.equal((await arena.run(`points award ${rich} 3`)).code, 0)
    const { members, supply } = await arena.json<{ members: number; supply: { issued: string }[] }>(
      'statistics show',
    )
    assert.deepEqual([members >= 0, supply.length], [true, 1])
    assert.match((await arena.run('statistics show')).out, /POINT TYPE +ISSUED +SPENT +HELD +CIRCULATION/)
    assert.match((await arena.run('realms show')).out, /^realm +arena$/m)
    assert.equal((await operate(`wallets link ${rich} ${evmWallet}`, 'arena')).code, 4)
    assert.equal((await arena.run(`wallets link ${rich} ${evmWallet}`)).code, 0)
  })

  it('creates and lists realms by their cell', async () => {
    const made = await operate('realms create here --cell 0 --json')
    assert.equal(JSON.parse(made.out).cell, 0)
    assert.match((await operate('realms list --cell 0')).out, /^here +/m)
    assert.match((await operate('realms list --cell 7')).err, /There are no realms/)
    assert.match((await operate('realms create there --cell x')).err, /--cell takes the number of a cell/)
  })

  it('issues tokens and revokes them', async () => {
    assert.match((await operate('operator-tokens list')).err, /No token was created/)
    const { out, err } = await operate('operator-tokens create "backup job" --expires-at 2099-01-01')
    const [, id = ''] = /^Token (\S+)\. /.exec(err) ?? []
    assert.ok(out.trim().length >= 32)
    assert.match((await operate('operator-tokens list')).out, /backup job .* until 2099-01-01/)
    assert.equal(
      (await operate(`operator-tokens revoke ${id} --yes`)).out,
      `Token ${id} (backup job) is revoked.\n`,
    )
  })

  it('reads the audit log', async () => {
    const ofRealm = await operate('audit list --limit 5', 'arena')
    assert.match(ofRealm.out, /operator +key\.issue +key 1/)
    assert.equal((await operate('audit list --server --json')).code, 0)
    assert.match((await cli.run('audit list')).out, /member\.erase/)
  })

  it('a token does not grant access to a realm, and the message says what does', async () => {
    const { code, err } = await operate(`points award ${rich} 1`, 'arena')
    assert.equal(code, 4)
    assert.match(err, /exchequer keys create --realm arena/)
    assert.match(
      (await cli.run('realms list')).err,
      /needs an operator token\. Log in with one: exchequer login --operator/,
    )
  })
})
