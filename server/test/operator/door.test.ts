import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { operate } from '../../../tests/support/operator.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { suite } from '../../../tests/support/suite.ts'

const anotherApp = moreApps()
const made = suite({ TRUSTED_PROXIES: '127.0.0.1' })

/** Each from another address: wrong keys are throttled by address. */
let strangers = 0
const strangerHeaders = () => ({ 'x-forwarded-for': `192.0.2.${strangers++ % 250}` })

const operatorLines = (realm: string) => [
  'GET /realms',
  'POST /realms',
  `GET /realms/${realm}`,
  `PATCH /realms/${realm}`,
  `GET /realms/${realm}/keys`,
  `POST /realms/${realm}/keys`,
  `DELETE /realms/${realm}/keys/1`,
  'GET /nothing',
  'DELETE /realms',
]

const v4Lines = (realm: string) => [
  `GET /realms/${realm}/members/${rich}`,
  `GET /realms/${realm}/web3/members/${rich}`,
  `GET /realms/${realm}/members/includes`,
  `POST /realms/${realm}/members/includes`,
  `PATCH /realms/${realm}/members/${rich}/tokenBalance`,
  `PATCH /realms/${realm}/members/${rich}/transfer`,
  `POST /realms/${realm}/points`,
  `POST /realms/${realm}/members`,
  `PUT /realms/${realm}/members/88`,
  `POST /realms/${realm}/members/${rich}/wallets`,
  `DELETE /realms/${realm}/members/${rich}/wallets/x`,
  'GET /nothing',
]

async function refused(url: string, line: string, authorization: string | undefined): Promise<void> {
  const [method = '', path = ''] = line.split(' ')
  const headers = { ...strangerHeaders(), ...(authorization === undefined ? {} : { authorization }) }
  const body = method === 'GET' ? undefined : { tokens: 1, name: 'stranger', members: [{ id: '88' }] }
  const answer = await call(method, `${url}${path}`, { headers, body })
  assert.equal(answer.status, 401, `${line} with ${authorization}: ${answer.status}`)
  assert.equal(answer.headers['www-authenticate'], 'Bearer')
  assert.equal(answer.json.code, 'unauthorized')
}

describe('200', () => {
  it('the token is accepted as Bearer in any case, and without a scheme', async () => {
    for (const authorization of [`Bearer ${operatorToken}`, `bearer ${operatorToken}`, operatorToken]) {
      const answer = await call('GET', `${made.app.url}/operator/v1/realms`, { headers: { authorization } })
      assert.equal(answer.status, 200, authorization)
    }
  })
})

describe('401', () => {
  const wrong: [who: string, authorization: () => string | undefined][] = [
    ['without a token', () => undefined],
    ['with an empty token', () => 'Bearer '],
    ['with a wrong token', () => 'Bearer operator-token-of-another-system-01234'],
    ['with a part of the token', () => `Bearer ${operatorToken.slice(0, -1)}`],
    ['with the token and more', () => `Bearer ${operatorToken}0`],
    ['with the token in another case', () => `Bearer ${operatorToken.toUpperCase()}`],
    ['with the token as a password', () => `Basic ${Buffer.from(`:${operatorToken}`).toString('base64')}`],
    ['with a realm’s key', () => `Bearer ${made.fixture.realm.key}`],
  ]
  for (const [who, authorization] of wrong) {
    it(`${who} every operator route answers the same 401`, async () => {
      for (const line of operatorLines(made.fixture.realm.id)) {
        await refused(`${made.app.url}/operator/v1`, line, authorization())
      }
    })
  }

  it('no cookie and no query parameter is a token', async () => {
    const url = `${made.app.url}/operator/v1/realms?token=${operatorToken}&authorization=${operatorToken}`
    const headers = { cookie: `token=${operatorToken}; authorization=${operatorToken}` }
    assert.equal((await call('GET', url, { headers })).status, 401)
  })

  it('the operator token grants no access to routes of a realm', async () => {
    for (const authorization of [`Bearer ${operatorToken}`, operatorToken]) {
      for (const line of v4Lines(made.fixture.realm.id)) {
        await refused(`${made.app.url}/api/v4`, line, authorization)
      }
    }
  })

  it('a server without a token has no operator', async () => {
    const { url } = await anotherApp(made, { OPERATOR_TOKEN: '' })
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${operatorToken}`,
      'undefined',
    ]) {
      await refused(`${url}/operator/v1`, 'GET /realms', authorization)
    }
  })

  it('an unauthenticated client learns nothing about an error in a body, whatever its size', async () => {
    const url = `${made.app.url}/operator/v1/realms`
    assert.equal((await call('POST', url, { raw: '{' })).status, 401)
    assert.equal((await call('POST', url, { raw: `"${'x'.repeat(1_000_000)}"` })).status, 401)
  })

  it('no unauthenticated request had an effect', async () => {
    const { json } = await operate(made.app.url, 'GET /realms')
    assert.equal(json.data.length, 3)
    assert.ok(json.data.every((realm: { name: string }) => realm.name !== 'stranger'))
    const member = await call('GET', `${made.app.url}/api/v4/realms/${made.fixture.realm.id}/members/88`, {
      key: made.fixture.realm.key,
    })
    assert.equal(member.status, 404)
  })
})
