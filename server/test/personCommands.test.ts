import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { browser, cookieIn, tokenIn, useLink } from './support/person.ts'
import { environment, runCommand } from './support/process.ts'
import { suite } from './support/suite.ts'

const made = suite()

const run = (args: readonly string[], extra: Record<string, string> = {}) =>
  runCommand(['person', ...args], environment(made.database, { PORT: '8080', ...extra }))

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
async function json(args: readonly string[], extra?: Record<string, string>): Promise<any> {
  const { code, out, err } = await run(args, extra)
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

describe('person', () => {
  it('invites the first operator, who can be listed, come back and be forgotten', async () => {
    const invited = await json(['invite', 'Ann Other', '--operator'])
    assert.match(invited.link, /^http:\/\/127\.0\.0\.1:8080\/console\/#link=exl_\w{36}$/)
    const { json: told } = await useLink(made.app.url, tokenIn(invited.link))
    assert.deepEqual([told.operator, told.person.name], [true, 'Ann Other'])
    const [listed] = await json(['list'])
    assert.deepEqual([listed.id, listed.name], [told.person.id, 'Ann Other'])
    const everywhere = await json(['link', listed.id], { HOST: '0.0.0.0' })
    assert.match(everywhere.link, /^http:\/\/localhost:8080\/console\/#link=/)
    const env = { PUBLIC_URL: 'https://points.example.com/p', BASE_PATH: '/p' }
    const { link } = await json(['link', listed.id], env)
    assert.ok(link.startsWith('https://points.example.com/p/console/#link='))
    const again = await useLink(made.app.url, tokenIn(link))
    assert.equal(again.json.person.id, listed.id)
    const left = { issuedKeys: [], issuedTokens: [] }
    assert.deepEqual(await json(['erase', listed.id]), { erased: listed.id, ...left })
    const ann = browser(made.app.url, cookieIn(again))
    assert.equal((await ann.send('GET', '/console/session')).status, 401)
    assert.deepEqual(await json(['list']), [])
  })

  it('invites people to a realm', async () => {
    const { id } = made.fixture.realm
    const { link } = await json(['invite', 'Bo', '--realm', id, '--role', 'viewer'])
    await useLink(made.app.url, tokenIn(link))
    const [bo] = await json(['list', '--realm', id])
    assert.deepEqual([bo.name, bo.role, bo.signsInBy], ['Bo', 'viewer', 'link'])
  })

  it('says what is missing or wrong', async () => {
    const says = async (args: readonly string[], words: RegExp, extra?: Record<string, string>) => {
      const { code, err } = await run(args, extra)
      assert.deepEqual([code, err.trim().split('\n').length], [1, 1], err)
      assert.match(err, words)
    }
    await says(['invite', 'Bo'], /Say --operator, or --realm and --role/)
    await says(['invite', 'Bo', '--realm', made.fixture.realm.id, '--role', 'king'], /--role is one of owner/)
    await says(['link', '999'], /nobody with the id 999/)
    await says(['list'], /PUBLIC_URL is http:\/\/points\.example\.com; it must be like https/, {
      PUBLIC_URL: 'http://points.example.com',
    })
    await says(['list'], /BASE_PATH does not say so/, { PUBLIC_URL: 'https://points.example.com/p' })
    await says(['list'], /OIDC_ISSUER needs PUBLIC_URL/, { OIDC_ISSUER: 'https://id.example.com' })
  })
})
