import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RealmAccess } from '../../tests/support/fixture.ts'
import { asRealm } from '../../tests/support/operator.ts'
import { invitedPerson, tokenIn, useLink } from '../../tests/support/person.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { commandLine, realmWithKey } from './support/realm.ts'
import { run, words } from './support/run.ts'

let cli: ReturnType<typeof commandLine>
let url: string
let realm: RealmAccess
suite({}, async ({ app }) => {
  url = app.url
  realm = await realmWithKey(url, { name: 'Guild' })
  cli = commandLine(url, realm)
})

type Person = { id: string; name: string; role: string }
const personOf = async (name: string) =>
  (await cli.json<Person[]>('people list')).find((one) => one.name === name)

/** An owner who has issued two keys, the second by the first. */
async function issuer(name: string) {
  const one = await invitedPerson(url, realm, { role: 'owner', name })
  const issue = async (key: string) => {
    const request = { line: 'POST /keys', body: { name: `of ${name}`, scopes: ['realm:admin'] } }
    return (await asRealm(url, { id: realm.id, key }, request)).json as { id: string; key: string }
  }
  const first = await issue(await one.key(realm.id))
  const second = await issue(first.key)
  /** A revocation is effective everywhere within a second. */
  const works = async () => {
    await sleep(1_100)
    const answers = await Promise.all(
      [first, second].map(({ key }) => asRealm(url, { id: realm.id, key }, { line: 'GET /keys' })),
    )
    return answers.map(({ status }) => status)
  }
  return { id: (await personOf(name))?.id ?? '', keys: [first.id, second.id], works }
}

describe('people', () => {
  it('are invited, listed, given another role, and their invitations deleted', async () => {
    const { out, err } = await cli.run('invitations create Ann --role manager')
    assert.match(err, /^Invitation \d+\. The link works once, until [0-9: -]{16}\.\n$/)
    assert.equal((await useLink(url, tokenIn(out.trim()))).status, 200)
    const ann = await personOf('Ann')
    assert.equal(ann?.role, 'manager')
    const again = (await cli.run(`people link ${ann?.id}`)).out.trim()
    assert.equal((await useLink(url, tokenIn(again))).json.person.id, ann?.id)
    assert.match((await cli.run('people list')).out, /^\d+ +Ann +manager +by link/m)
    assert.equal((await cli.run(`people update ${ann?.id} --role viewer`)).out, 'Ann is viewer now.\n')
    const second = await cli.json<{ id: string; email: string }>(
      'invitations create Bo --email bo@example.com',
    )
    assert.match((await cli.run('invitations list')).out, /Bo +bo@example\.com +viewer/)
    const gone = await cli.run(`invitations delete ${second.id}`)
    assert.equal(gone.out, `Invitation ${second.id} is deleted.\n`)
    assert.equal((await cli.run('invitations list')).err, 'There are no open invitations.\n')
  })

  it('who are removed leave keys, which are listed and can be revoked later', async () => {
    const { id, keys, works } = await issuer('Mal')
    assert.equal((await cli.run(`people delete ${id}`)).code, 5)
    const { out, err } = await cli.run(`people delete ${id} --yes`)
    assert.equal(out, 'Mal no longer has a role here.\n')
    assert.match(
      err,
      new RegExp(`^2 keys that they created still work: ${keys[0]} \\(of Mal\\), ${keys[1]} `),
    )
    assert.match(err, /exchequer keys revoke --orphaned/)
    assert.deepEqual(await works(), [200, 200])
    assert.match((await cli.run('keys list --orphaned')).out, /of Mal .*Mal, removed$/m)
    assert.equal((await cli.run('keys revoke --orphaned')).code, 5)
    const revoked = await cli.run(`keys revoke --orphaned --person ${id} --yes`)
    assert.match(revoked.out, new RegExp(`Key ${keys[0]} \\(of Mal\\) is revoked\\.\nKey ${keys[1]} `))
    assert.deepEqual(await works(), [401, 401])
    assert.equal((await cli.run('keys list --orphaned')).err, 'There are no orphaned keys.\n')
  })

  it('are removed together with their keys', async () => {
    const { id, keys, works } = await issuer('Eve')
    const line = `people delete ${id} --revoke-keys --yes`
    assert.deepEqual((await cli.json<{ revokedKeys: string[] }>(line)).revokedKeys, keys)
    assert.deepEqual(await works(), [401, 401])
  })

  it('are managed with a key: an operator is shown how to issue one', async () => {
    const env = { HOME: '/nonexistent', EXCHEQUER_URL: url, EXCHEQUER_TOKEN: operatorToken }
    const { code, err } = await run(words(`people list --realm ${realm.id}`), { env })
    assert.equal(code, 4)
    assert.match(err, /exchequer keys create --realm/)
  })
})

describe('operators', () => {
  const env = () => ({ HOME: '/nonexistent', EXCHEQUER_URL: url, EXCHEQUER_TOKEN: operatorToken })
  const operate = (line: string) => run(words(line), { env: env() })

  it('are invited, listed, given another link and erased', async () => {
    const { out, err } = await operate('operator-invitations create Olga')
    assert.match(err, /^Invitation \d+\. The link works once, until [0-9: -]{16}\.\n$/)
    assert.equal((await useLink(url, tokenIn(out.trim()))).status, 200)
    const [, id = ''] = /^(\d+) +Olga /m.exec((await operate('operators list')).out) ?? []
    const again = (await operate(`operators link ${id}`)).out.trim()
    assert.equal((await useLink(url, tokenIn(again))).json.person.id, id)
    assert.equal((await operate(`operators erase ${id}`)).code, 5)
    assert.equal((await operate(`operators erase ${id} --yes`)).out, `Person ${id} is erased.\n`)
    assert.doesNotMatch((await operate('operators list')).out, /Olga/)
  })

  it('who have not signed in yet are listed, and their invitation can be deleted', async () => {
    const { id } = JSON.parse((await operate('operator-invitations create Otto --json')).out) as {
      id: string
    }
    assert.match((await operate('operator-invitations list')).out, /Otto/)
    assert.equal((await operate(`operator-invitations delete ${id}`)).out, `Invitation ${id} is deleted.\n`)
    assert.equal((await operate('operator-invitations list')).err, 'There are no open invitations.\n')
  })

  it('can read the server’s health, which a key can’t', async () => {
    assert.match((await operate('health show')).out, /^ready +yes$/m)
    assert.equal((await cli.run('health show')).code, 4)
  })
})
