import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { environment, operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'
import { readConfig } from '../../src/config/index.ts'

const made = suite({ BASE_PATH: '/points/v2' })
const get = (path: string, key?: string) => call('GET', made.app.url + path, { key })
const member = () => `/api/v4/realms/${made.fixture.realm.id}/members/${rich}`

/** A problem whose type is below the path, otherwise as without one. */
function below(answer: Answer): Answer {
  const { type } = answer.json
  assert.ok(type.startsWith('/points/v2/problems/'), type)
  return { ...answer, json: { ...answer.json, type: type.slice('/points/v2'.length) } }
}

describe('behind a proxy that serves it below a path', () => {
  it('every route answers there, and without the path if the proxy strips it', async () => {
    for (const base of ['/points/v2', '']) {
      assert.equal((await get(`${base}/readyz`)).status, 200)
      assert.equal((await get(base + member(), made.fixture.realm.key)).json.id, rich)
      assert.equal((await get(`${base}/operator/v1/realms`, operatorToken)).status, 200)
    }
  })

  it('the path grants no access: keys are required below it', async () => {
    for (const base of ['/points/v2', '/points/v2/points/v2', '/points', '/points/v2x', '/POINTS/V2'])
      for (const path of [member(), '/operator/v1/realms']) {
        const answer = await get(base + path)
        assert.ok([401, 404].includes(answer.status), `${base}${path}: ${answer.text}`)
      }
    assertProblem(below(await get(`/points/v2${member()}`)), 401, 'unauthorized')
    assertProblem(below(await get('/points/v2x/healthz')), 404, 'route_not_found')
  })

  it('a problem links to its page there, also a replayed one', async () => {
    const { key } = made.fixture.realm
    const spend = () =>
      call('PATCH', `${made.app.url}${member()}/tokenBalance`, {
        key,
        body: { tokens: -900_000 },
        headers: { 'idempotency-key': 'too-much' },
      })
    const first = await spend()
    assertProblem(below(first), 422, 'insufficient_points')
    assert.equal((await spend()).text, first.text)
    assert.equal((await get(first.json.type)).status, 200)
    assert.match((await get('/points/v2/problems')).text, /href="\/points\/v2\/problems\/forbidden"/)
  })

  it('the OpenAPI document contains it, and links of the page work below it', async () => {
    assert.deepEqual((await get('/points/v2/openapi.json')).json.servers, [{ url: '/points/v2' }])
    for (const path of ['/points/v2', '/points/v2/', '/']) {
      const { status, headers } = await get(path)
      assert.equal(status, 302)
      assert.equal(headers.location, '/points/v2/docs')
    }
    const page = await get('/points/v2/docs')
    assert.equal(page.status, 200)
    assert.doesNotMatch(page.text, /(href|src)="\//)
  })
})

describe('a base path', () => {
  it('that is invalid is rejected at startup', () => {
    const urls = { serverUrl: 'postgres://localhost/x', ownerUrl: 'postgres://localhost/x' }
    const pathOf = (given: string) => readConfig(environment(urls, { BASE_PATH: given })).basePath
    assert.equal(pathOf(''), '')
    assert.equal(pathOf('/a/b-c'), '/a/b-c')
    for (const wrong of ['/', 'points', '/points/', '//points', '/a b', '/{realm}', 'https://x.example/a'])
      assert.throws(() => pathOf(wrong), /BASE_PATH is .* such as \/points/)
  })
})
