import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drip } from '../../../tests/support/slow.ts'
import { suite } from '../../../tests/support/suite.ts'

const made = suite()

async function answerTo(sent: string): Promise<string> {
  const { received, closedMs } = await drip(made.app.url, { head: sent }, 6_000)
  assert.notEqual(closedMs, undefined, 'the connection was left open')
  return received
}

describe('400, and the connection is closed', () => {
  it('for Transfer-Encoding in HTTP/1.0, for any Connection header', async () => {
    const path = `/api/v4/realms/${made.fixture.realm.id}/members/5/tokenBalance`
    const received = await answerTo(
      `PATCH ${path} HTTP/1.0\r\nauthorization: ${made.fixture.realm.key}\r\nconnection: keep-alive\r\n` +
        'transfer-encoding: chunked\r\n\r\nc\r\n{"tokens":9}\r\n0\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n',
    )
    assert.match(received, /^HTTP\/1\.1 400 /)
    assert.match(received, /connection: close/i)
    assert.doesNotMatch(received, /HTTP\/1\.1 200/)
  })

  it('for two Host headers', async () => {
    assert.match(await answerTo('GET /healthz HTTP/1.1\r\nhost: a\r\nHost: b\r\n\r\n'), /^HTTP\/1\.1 400 /)
  })

  it('for a # in the path or in the query: a fragment is not sent', async () => {
    for (const target of ['/console/session#x', '/healthz#x', '/healthz?a=b#c', '#', '/#/healthz'])
      assert.match(await answerTo(`GET ${target} HTTP/1.1\r\nhost: a\r\n\r\n`), /^HTTP\/1\.1 400 /, target)
  })

  it('for a request line without a version', async () => {
    assert.match(await answerTo('GET /healthz\r\n\r\n'), /^HTTP\/1\.1 400 /)
  })
})
