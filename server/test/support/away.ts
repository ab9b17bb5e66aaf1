import assert from 'node:assert/strict'
import type { Answer } from './call.ts'
import { makeRealm, type RealmAccess } from './fixture.ts'
import { asRealm } from './operator.ts'
import { operatorToken } from './process.ts'

export const openRealm = (baseUrl: string) =>
  makeRealm({ baseUrl, token: operatorToken }, { unknownMembers: 'create' })
export const balanceOf = async (baseUrl: string, realm: RealmAccess, member: string): Promise<number> =>
  (await asRealm(baseUrl, realm, { line: `GET /members/${member}` })).json.tokenBalance

export type Timed = Answer & { readonly tookMs: number }

export async function timed(answer: Promise<Answer>): Promise<Timed> {
  const startMs = Date.now()
  return { ...(await answer), tookMs: Date.now() - startMs }
}

/** A 503 as it is promised: a problem, with when to try again, in time. */
export function assertAway({ status, headers, json, text, tookMs }: Timed): void {
  assert.equal(status, 503, text)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.ok(Number(headers['retry-after']) >= 1)
  assert.match(json.code, /^(unavailable|overloaded|outcome_unknown)$/)
  assert.ok(tookMs < 2_000, `answered after ${tookMs} ms`)
}
