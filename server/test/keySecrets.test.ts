import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { call } from './support/call.ts'
import { environment, runCommand, startServerProcess } from './support/process.ts'
import { freshDatabase, type TestDatabase } from './support/suite.ts'

let database: TestDatabase
before(async () => {
  database = await freshDatabase()
})
after(() => database?.drop())

const other = { KEY_SECRETS: `k1:${'f'.repeat(64)}` }
const run = (line: string, extra: Record<string, string> = {}) =>
  runCommand(line.split(' '), environment(database, extra))

describe('another secret under the same id', () => {
  it('is refused by the commands that make keys and links, and none is made', async () => {
    assert.equal((await run('realm create --id guild')).code, 0)
    assert.equal((await run('key issue guild')).code, 0)
    for (const line of [
      'key issue guild',
      'key rotate guild 1',
      'token issue ann',
      'person invite Ann --operator',
    ]) {
      const { code, out, err } = await run(line, other)
      assert.notEqual(code, 0, line)
      assert.equal(out, '')
      assert.match(err, /KEY_SECRETS has another secret under the id k1/)
      assert.equal(err.trimEnd().split('\n').length, 1, err)
    }
    assert.equal(JSON.parse((await run('key list guild')).out).length, 1)
  })

  it('is named in the log of a server that starts with it', async () => {
    const { out } = await run('key issue guild')
    const { key } = JSON.parse(out)
    const server = await startServerProcess(environment(database, other))
    try {
      const path = `${server.baseUrl}/api/v4/realms/guild`
      assert.equal((await call('GET', path, { key })).status, 401)
      assert.match(server.said.join('\n'), /KEY_SECRETS has another secret under the id k1/)
      assert.doesNotMatch(server.said.join('\n'), /ffffffff/)
    } finally {
      await server.stop()
    }
  })

  it('a new secret under a new id beside the old one is right', async () => {
    const both = { KEY_SECRETS: `k2:${'e'.repeat(64)},${environment(database).KEY_SECRETS}` }
    assert.equal((await run('key issue guild', both)).code, 0)
    const server = await startServerProcess(environment(database, both))
    await server.stop()
    assert.doesNotMatch(server.said.join('\n'), /KEY_SECRETS has/)
  })
})
