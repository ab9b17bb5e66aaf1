import assert from 'node:assert/strict'
import { type Answer, patiently } from './call.ts'
import { makeRealm, type RealmAccess } from './fixture.ts'
import { asRealm } from './operator.ts'
import { operatorToken } from './process.ts'

export const openRealm = (baseUrl: string) =>
  makeRealm({ baseUrl, token: operatorToken }, { unknownMembers: 'create' })

export async function balanceOf(baseUrl: string, realm: RealmAccess, member: string): Promise<number> {
  const { status, text, json } = await patiently(() =>
    asRealm(baseUrl, realm, { line: `GET /members/${member}` }),
  )
  assert.equal(status, 200, text)
  return json.tokenBalance
}

export type TimedAnswer = Answer & { readonly tookMs: number }

export async function timed(answer: Promise<Answer>): Promise<TimedAnswer> {
  const startMs = Date.now()
  return { ...(await answer), tookMs: Date.now() - startMs }
}

/** `WRITE_DEADLINE_MS`, the time to find out how an interrupted commit ended, and a second. */
const unknownWithinMs = 6_000

/** A 503 as documented: a problem with Retry-After, in time. */
export function assertAway({ status, headers, json, text, tookMs }: TimedAnswer): void {
  assert.equal(status, 503, text)
  assert.match(headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.ok(Number(headers['retry-after']) >= 1)
  assert.match(json.code, /^(unavailable|overloaded|outcome_unknown)$/)
  const withinMs = json.code === 'outcome_unknown' ? unknownWithinMs : 2_000
  assert.ok(tookMs < withinMs, `answered after ${tookMs} ms: ${text}`)
}
