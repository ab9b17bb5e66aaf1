import assert from 'node:assert/strict'
import { after } from 'node:test'
import { assertBooks, rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { type Suite, suite } from '../../../tests/support/suite.ts'
import { scopes } from '../../src/keys/index.ts'

/** A realm whose members are merged, and what the tests of it share. Called once in a file. */
export function mergingSuite() {
  let realm: ManagedRealm
  let key: string
  // Before those of the suite, which drop the database.
  after(() => assertBooks(made.database))
  const made: Suite = suite({}, async (suited) => {
    realm = await managed(suited, { unknownMembers: 'create' })
    key = (await realm.send('POST /keys', { scopes })).json.key
    await realm.send('POST /points', { id: 'gems', name: 'Gems' })
  })
  const path = (name: string) => `/members/${encodeURIComponent(name)}`
  const send = (line: string, body?: unknown) => realm.send(line, body)
  const merge = (to: string, from: string, body: object = { force: true }) =>
    send(`POST ${path(to)}/merges`, { from, ...body })
  return {
    made,
    path,
    send,
    merge,
    realm: () => realm,
    read: async (name: string) => (await send(`GET ${path(name)}`)).json,
    give: (name: string, tokens: number, more: object = {}) =>
      send(`PATCH ${path(name)}/tokenBalance`, { tokens, ...more }),
    put: (name: string, body: object = {}) => send(`PUT ${path(name)}`, body),
    rows: (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values),
    /** Once, and with headers. */
    raw: (line: string, body?: unknown, headers: Record<string, string> = {}) =>
      asRealm(made.app.url, { id: realm.id, key }, { line, body, headers }),
    /** A merge that must succeed. */
    merged: async (to: string, from: string) => {
      const answer = await merge(to, from)
      assert.equal(answer.status, 201, answer.text)
      return answer.json
    },
  }
}

/** A 409 that no retry changes. */
export function assertConflict(
  { status, json }: { readonly status: number; readonly json: { readonly code?: string } },
  code: string,
): void {
  assert.deepEqual([status, json.code], [409, code])
}
