import assert from 'node:assert/strict'
import { type Answer, type Call, call, patiently } from './call.ts'
import { manager } from './fixture.ts'
import { operatorToken } from './process.ts'
import type { Suite } from './suite.ts'

type Body = object | string
type Access = { readonly id: string; readonly key: string }

const bodyOf = (body: Body): Call => (typeof body === 'string' ? { raw: body } : { body })

/** The five endpoints in one realm of the fixture, called with its key unless another is given. */
export function v4(made: Suite, realmOf: (made: Suite) => Access = ({ fixture }) => fixture.realm) {
  const send = (method: string, path: string, options: Call = {}): Promise<Answer> => {
    const { id, key } = realmOf(made)
    const url = `${made.app.url}/api/v4/realms/${id}${path}`
    return patiently(() => call(method, url, { key, ...options }))
  }
  const member = (id: string, options?: Call) => send('GET', `/members/${id}`, options)
  return {
    send,
    member,
    web3: (id: string, options?: Call) => send('GET', `/web3/members/${id}`, options),
    includes: (body: Body, options?: Call) =>
      send('GET', '/members/includes', { ...bodyOf(body), ...options }),
    /** A body that is a string is sent unchanged. */
    adjust: (id: string, body: Body, options?: Call) =>
      send('PATCH', `/members/${id}/tokenBalance`, { ...bodyOf(body), ...options }),
    transfer: (id: string, body: Body, options?: Call) =>
      send('PATCH', `/members/${id}/transfer`, { ...bodyOf(body), ...options }),
    balance: async (id: string): Promise<number> => {
      const { status, json } = await member(id)
      assert.equal(status, 200)
      return json.tokenBalance
    },
  }
}

/** A call to the operator API that must succeed. */
export async function asOperator(made: Suite, method: string, at: { path: string; body?: object }) {
  const url = `${made.app.url}/operator/v1${at.path}`
  const body = at.body === undefined ? {} : { body: at.body }
  const answer = await patiently(() => call(method, url, { key: operatorToken, ...body }))
  assert.ok(answer.status >= 200 && answer.status < 300, answer.text)
  return answer.json
}

/** A call with a key of the realm in its path that has every scope; it must succeed. */
export const asManager = (made: Suite, method: string, at: { path: string; body?: object }) =>
  manager({ baseUrl: made.app.url, token: operatorToken }, method, at)
