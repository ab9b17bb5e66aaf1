import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../../tests/support/call.ts'
import { tokenIn, useLink } from '../../tests/support/person.ts'
import { environment, runCommand } from '../../tests/support/process.ts'
import { suite } from '../../tests/support/suite.ts'

const made = suite()

const run = (args: readonly string[], extra: Record<string, string> = {}) =>
  runCommand(args, environment(made.database, { PORT: '8080', ...extra }))

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
async function json(args: readonly string[], extra?: Record<string, string>): Promise<any> {
  const { code, out, err } = await run(args, extra)
  assert.equal(code, 0, err)
  return JSON.parse(out)
}

describe('the first operator', () => {
  it('signs in by the link of an invitation', async () => {
    const invited = await json(['operator', 'invite', 'Ann Other', '--email', 'ann@example.com'])
    assert.match(invited.link, /^http:\/\/127\.0\.0\.1:8080\/console\/#link=exl_\w{36}$/)
    assert.equal(invited.email, 'ann@example.com')
    const { json: session } = await useLink(made.app.url, tokenIn(invited.link))
    assert.deepEqual([session.operator, session.person.name], [true, 'Ann Other'])
  })

  it('gets a link with the public URL of the server', async () => {
    const everywhere = await json(['operator', 'invite', 'Bo'], { HOST: '0.0.0.0' })
    assert.match(everywhere.link, /^http:\/\/localhost:8080\/console\/#link=/)
    const env = { PUBLIC_URL: 'https://points.example.com/p', BASE_PATH: '/p' }
    const { link } = await json(['operator', 'invite', 'Cy'], env)
    assert.ok(link.startsWith('https://points.example.com/p/console/#link='))
  })

  it('gets a token that grants access to /operator/v1 and no realm', async () => {
    const { token, name } = await json(['token', 'issue', 'ann', '--expires', '2099-01-31'])
    assert.equal(name, 'ann')
    const status = async (path: string) =>
      (await call('GET', `${made.app.url}${path}`, { key: token })).status
    assert.equal(await status('/operator/v1/realms'), 200)
    assert.equal(await status(`/api/v4/realms/${made.fixture.realm.id}`), 401)
  })
})

it('an invalid setting is named with what is expected', async () => {
  const says = async (words: RegExp, extra: Record<string, string>) => {
    const { code, err } = await run(['operator', 'invite', 'Dee'], extra)
    assert.deepEqual([code, err.trim().split('\n').length], [1, 1], err)
    assert.match(err, words)
  }
  await says(/PUBLIC_URL is http:\/\/points\.example\.com; it must be like https/, {
    PUBLIC_URL: 'http://points.example.com',
  })
  await says(/but BASE_PATH differs/, { PUBLIC_URL: 'https://points.example.com/p' })
  await says(/OIDC_ISSUER requires PUBLIC_URL/, { OIDC_ISSUER: 'https://id.example.com' })
})
