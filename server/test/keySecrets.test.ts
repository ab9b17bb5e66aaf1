import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../tests/support/books.ts'
import { call } from '../../tests/support/call.ts'
import { makeRealm, type RealmAccess } from '../../tests/support/fixture.ts'
import { environment, operatorToken, runCommand, startServerProcess } from '../../tests/support/process.ts'
import { freshDatabase, type TestDatabase } from '../../tests/support/suite.ts'

let database: TestDatabase
let guild: RealmAccess
before(async () => {
  database = await freshDatabase()
  const server = await startServerProcess(environment(database))
  guild = await makeRealm({ baseUrl: server.baseUrl, token: operatorToken }, { id: 'guild' })
  await server.stop()
})
after(() => database?.drop())

const other = { KEY_SECRETS: `k1:${'f'.repeat(64)}` }
const run = (line: string, extra: Record<string, string> = {}) =>
  runCommand(line.split(' '), environment(database, extra))

describe('another secret under the same id', () => {
  it('is rejected by the commands that create tokens and links, and none is created', async () => {
    for (const line of ['token issue ann', 'operator invite Ann']) {
      const { code, out, err } = await run(line, other)
      assert.notEqual(code, 0, line)
      assert.equal(out, '')
      assert.match(err, /KEY_SECRETS has another secret under the id k1/)
      assert.equal(err.trimEnd().split('\n').length, 1, err)
    }
    for (const table of ['operator_tokens', 'invitations'])
      assert.deepEqual(await rowsOf(database.superuserUrl, `select * from ${table}`), [])
  })

  it('is reported in the log of a server that starts with it', async () => {
    const { key } = guild
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

  it('a new secret with a new id next to the old one is accepted', async () => {
    const both = { KEY_SECRETS: `k2:${'e'.repeat(64)},${environment(database).KEY_SECRETS}` }
    assert.equal((await run('token issue ann', both)).code, 0)
    const server = await startServerProcess(environment(database, both))
    await server.stop()
    assert.doesNotMatch(server.said.join('\n'), /KEY_SECRETS has/)
  })
})
