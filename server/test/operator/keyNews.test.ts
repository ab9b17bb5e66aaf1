import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { asRealm, operate } from '../../../tests/support/operator.ts'
import { suite } from '../../../tests/support/suite.ts'
import { statements } from '../../src/keys/store.ts'

const made = suite()
const anotherApp = moreApps()
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)

const addKeys = (count: number) =>
  rows(
    `insert into keys (realm, number, secret_id, hash, name, prefix, last_four)
      select realm, next_key + 100 + g, 'k1', sha256(('n' || g)::bytea), 'new', 'exq_', '0000'
      from realms, generate_series(1, $2::integer) g where id = $1`,
    [made.fixture.other.id, count],
  )
const changed = async (limit = 1_000_000) => (await rows(statements.listChanged.text, [60_000, limit])).length

describe('polling for changed keys', () => {
  it('returns no newly issued keys, and at most its limit of changed ones', async () => {
    const before = await changed()
    await addKeys(20_000)
    assert.equal(await changed(), before)
    await rows("update keys set changed_at = clock_timestamp() where name = 'new'")
    assert.equal(await changed(), before + 20_000)
    assert.equal(await changed(10_000), 10_000)
  })

  it('a revocation takes effect within a second, even among more changes than one poll returns', async () => {
    const other = await anotherApp(made)
    const at = `/realms/${made.fixture.realm.id}/keys`
    const { id, key } = (await operate(made.app.url, `POST ${at}`, {})).json
    const access = { id: made.fixture.realm.id, key }
    const line = `GET /members/${rich}`
    assert.equal((await asRealm(other.url, access, { line })).status, 200)
    await rows("update keys set changed_at = clock_timestamp() where name = 'new'")
    await operate(made.app.url, `DELETE ${at}/${id}`)
    await rows("update keys set changed_at = clock_timestamp() where name = 'new'")
    const until = performance.now() + 1_000
    while (performance.now() < until) {
      await asRealm(other.url, access, { line })
      await sleep(50)
    }
    assert.equal((await asRealm(other.url, access, { line })).status, 401)
  })
})
