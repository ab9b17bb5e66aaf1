import assert from 'node:assert/strict'
import type { Answer } from './call.ts'

/** What must never leave the server: a stack trace, SQL, or the name of a backend. */
const leak = /\bat .*(\.[cm]?[jt]s|node:\S+):\d+|select .* from|insert into|postgres/i

/** An error answer as RFC 9457 and the catalogue describe it. */
export function assertProblem(answer: Answer, status: number, code: string): void {
  assert.equal(
    answer.status,
    status,
    `expected ${status} ${code}, got ${answer.status} ${answer.text.slice(0, 300)}`,
  )
  assert.match(answer.headers['content-type'] ?? '', /^application\/problem\+json/)
  const { json, headers } = answer
  assert.equal(json.code, code)
  assert.equal(json.status, status)
  // Servers of these tests that have a base path have this one.
  assert.equal(json.type.replace(/^\/base\//, '/'), `/problems/${code.replaceAll('_', '-')}`)
  assert.ok(typeof json.title === 'string' && json.title !== '')
  assert.ok(typeof json.detail === 'string' && json.detail !== '')
  assert.equal(json.message, json.detail)
  assert.ok(headers['x-request-id'])
  if (headers['idempotent-replayed'] === undefined) assert.equal(json.requestId, headers['x-request-id'])
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer/)
  if (status === 400) {
    assert.ok(json.errors.length > 0)
    for (const fault of json.errors) {
      assert.equal(typeof fault.pointer, 'string')
      assert.ok(['body', 'query', 'path', 'header'].includes(fault.in))
      assert.ok(typeof fault.name === 'string' && typeof fault.code === 'string')
      assert.ok(typeof fault.detail === 'string' && fault.detail !== '')
    }
  } else assert.equal(json.errors, undefined)
  if (status === 405) assert.ok(headers.allow)
  if (status === 409 || status === 429 || status === 503) assert.ok(headers['retry-after'])
  assert.doesNotMatch(answer.text, leak)
}

/** A 400, and the locations of its errors. */
export function assertInvalid(answer: Answer, pointer: string): void {
  assertProblem(answer, 400, 'invalid_request')
  const found = answer.json.errors.map((fault: { pointer: string }) => fault.pointer)
  assert.ok(found.includes(pointer), `expected an error at ${pointer || 'the body'}, found ${found}`)
}
