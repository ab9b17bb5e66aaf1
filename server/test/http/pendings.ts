import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../../../tests/support/call.ts'
import { suite } from '../../../tests/support/suite.ts'
import { asManager, v4 } from '../../../tests/support/v4.ts'

export const keyed = (key: string): Call => ({ headers: { 'idempotency-key': key } })
export const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

export async function until(isDone: () => Promise<boolean>, withinMs = 8_000): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, 'not in time')
    await sleep(50)
  }
}

/** A server, and what tests do with its awards. */
export function pendings() {
  const made = suite()
  const calls = v4(made)
  const { send, member } = calls
  const point = () => made.fixture.realm.pointId
  return {
    made,
    ...calls,
    point,
    award: (id: string, body: object, options: Call = {}) =>
      send('POST', `/members/${id}/awards`, { body, ...options }),
    grant: (id: string, options: Call = {}) => send('POST', `/awards/${id}/grant`, options),
    cancel: (id: string, options: Call = {}) => send('POST', `/awards/${id}/cancel`, options),
    read: async (id: string) => (await send('GET', `/awards/${id}`)).json,
    /** With a key that may read the journal, which the fixture's may not. */
    // biome-ignore lint/suspicious/noExplicitAny: a response's shape is what the tests look at
    journal: (path: string): Promise<any> =>
      asManager(made, 'GET', { path: `/realms/${made.fixture.realm.id}${path}` }),
    reverse: (id: string) =>
      asManager(made, 'POST', { path: `/realms/${made.fixture.realm.id}/entries/${id}/reverse` }),
    /** Available and pending points. */
    standing: async (id: string): Promise<[number, number]> => {
      const { json } = await member(id)
      return [json.tokenBalance, json.pending?.[point()] ?? 0]
    },
  }
}
