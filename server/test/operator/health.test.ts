import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { call } from '../../../tests/support/call.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { Link } from '../../../tests/support/link.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { anOperator } from '../../../tests/support/person.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { environment, runCommand } from '../../../tests/support/process.ts'
import { suite, testConfig } from '../../../tests/support/suite.ts'
import { startApp } from '../../src/app/index.ts'
import { release } from '../../src/config/release.ts'

const made = suite()
const health = async (url = made.app.url) => {
  const { status, json, text } = await operate(url, 'GET /health')
  assert.equal(status, 200, text)
  return json
}

describe('200', () => {
  it('returns the release, the start time, and that there are no problems', async () => {
    const { startedAt, connections, standings, ...rest } = await health()
    assert.ok(Date.parse(startedAt) < Date.now())
    assert.ok(connections >= 1)
    assert.ok(standings.lagMs >= 0 && standings.realmsBehind >= 0)
    assert.deepEqual(rest, {
      version: release,
      ready: true,
      why: null,
      durability: 'database',
      database: { up: true, standbyNeeded: false, standbys: 0 },
      writes: { waiting: 0 },
      verified: null,
    })
  })

  it('is returned to an operator who has signed in', async () => {
    const olga = await anOperator(made.app.url)
    const token = await olga.send('POST', '/console/session/operator-token')
    const answer = await call('GET', `${made.app.url}/operator/v1/health`, { key: token.json.token })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.json.ready, true)
  })

  it('returns how far leaderboards are behind', async () => {
    const slow = await startApp(testConfig(made.database, { STANDINGS_EVERY_MS: '60000' }))
    try {
      const line = `PATCH /members/${rich}/tokenBalance`
      await asRealm(slow.url, made.fixture.realm, { line: 'GET /leaderboard' })
      // The first is shown at once; the next ones wait for the projector.
      for (const tokens of [1, 2, 3]) await asRealm(slow.url, made.fixture.realm, { line, body: { tokens } })
      const { standings } = await health(slow.url)
      assert.equal(standings.realmsBehind, 1)
      assert.ok(standings.lagMs > 0)
    } finally {
      await slow.close()
    }
  })

  it('reports that the database is unreachable, why nothing is served, and what to do', async () => {
    const link = await Link.to(made.database.serverUrl)
    const app = await startApp(testConfig({ ...made.database, serverUrl: link.url }))
    try {
      link.cut()
      const { ready, why, database } = await health(app.url)
      assert.equal(ready, false)
      assert.equal(why, 'The database can’t be reached.')
      assert.deepEqual(database, { up: false, standbyNeeded: null, standbys: null })
    } finally {
      await app.close()
      await link.close()
    }
  })

  it('returns when the ledger was last verified', async () => {
    const { code } = await runCommand(['verify', '--hurry'], environment(made.database))
    assert.equal(code, 0)
    const fresh = await startApp(testConfig(made.database))
    try {
      const { verified } = await health(fresh.url)
      assert.equal(verified.ok, true)
      assert.ok(Date.now() - Date.parse(verified.at) < 60_000)
    } finally {
      await fresh.close()
    }
  })
})

describe('401', () => {
  it('for a realm’s key and without credentials', async () => {
    for (const key of [undefined, made.fixture.realm.key])
      assertProblem(await call('GET', `${made.app.url}/operator/v1/health`, { key }), 401, 'unauthorized')
  })
})
