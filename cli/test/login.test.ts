import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { RealmAccess } from '../../tests/support/fixture.ts'
import { operatorToken } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'
import { realmWithKey } from './support/realm.ts'
import { folder, run, words } from './support/run.ts'

let guild: RealmAccess
let shop: RealmAccess
let url: string
suite({}, async ({ app }) => {
  url = app.url
  guild = await realmWithKey(url, { name: 'Guild' })
  shop = await realmWithKey(url, { name: 'Shop' })
})

const home = folder()
const file = join(home.path, 'exchequer', 'logins.json')
const at = (line: string, input = '') => run(words(line), { input, env: { XDG_CONFIG_HOME: home.path } })

describe('login', () => {
  it('checks the key and stores it in a file that only its owner can read', async () => {
    const { code, out } = await at(`login --url ${url}/ --realm ${guild.id}`, `${guild.key}\n`)
    assert.deepEqual([code, out], [0, `Logged in to Guild (${guild.id}) at ${url}.\n`])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await at('point-types list')).code, 0)
  })

  it('an invalid key is not stored and never printed', async () => {
    const before = readFileSync(file, 'utf8')
    const wrong = `exq_${'w'.repeat(36)}`
    const { code, out, err } = await at('login', wrong)
    assert.equal(code, 4)
    assert.ok(!out.includes(wrong) && !err.includes(wrong))
    assert.equal(readFileSync(file, 'utf8'), before)
    assert.equal((await at('login', '')).code, 2)
  })

  it('an operator token is stored together with the key', async () => {
    assert.equal((await at('login --operator', operatorToken)).code, 0)
    assert.equal((await at('realms list')).code, 0)
    assert.equal((await at('point-types list')).code, 0)
    const { out } = await at('whoami')
    assert.match(out, new RegExp(`^key +…${guild.key.slice(-4)}$`, 'm'))
    assert.ok(!out.includes(guild.key) && !out.includes(operatorToken))
  })

  it('several profiles are stored by name', async () => {
    await at(`login --profile shop --url ${url} --realm ${shop.id}`, shop.key)
    assert.match((await at('realms show --profile shop')).out, /^name +Shop$/m)
    assert.match((await at('realms show')).out, /^name +Guild$/m)
    const { code, err } = await at('members list --profile nowhere')
    assert.equal(code, 4)
    assert.match(err, /There is no login named nowhere/)
  })

  it('stored credentials are sent only to their own server', async () => {
    const { code, err } = await at('members list --url http://127.0.0.1:9')
    assert.equal(code, 4)
    assert.match(err, /There is no key/)
  })

  it('the environment takes precedence over stored credentials', async () => {
    const env = { XDG_CONFIG_HOME: home.path, EXCHEQUER_REALM: shop.id, EXCHEQUER_KEY: shop.key }
    assert.match((await run(['realms', 'show'], { env })).out, /^name +Shop$/m)
  })

  it('a key or a token is read from the file that the environment names', async () => {
    const [key, token] = [join(home.path, 'key'), join(home.path, 'token')]
    writeFileSync(key, `${shop.key}\n`)
    writeFileSync(token, `${operatorToken}\n`)
    const env = { HOME: '/nonexistent', EXCHEQUER_URL: url, EXCHEQUER_REALM: shop.id }
    assert.equal((await run(['members', 'list'], { env: { ...env, EXCHEQUER_KEY_FILE: key } })).code, 0)
    assert.equal((await run(['realms', 'list'], { env: { ...env, EXCHEQUER_TOKEN_FILE: token } })).code, 0)
    const { code, err } = await run(['realms', 'list'], {
      env: { ...env, EXCHEQUER_TOKEN_FILE: `${token}s` },
    })
    assert.equal(code, 2)
    assert.match(err, /EXCHEQUER_TOKEN_FILE can’t be read: ENOENT/)
  })

  it('logout deletes the stored credentials', async () => {
    assert.equal((await at('logout --profile shop')).code, 0)
    assert.equal((await at('members list --profile shop')).code, 4)
    assert.equal((await at('logout --profile shop')).code, 1)
    assert.equal((await at('whoami --json')).code, 0)
    assert.ok(existsSync(file))
  })
})
