import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { managed } from '../../../tests/support/manager.ts'
import { operate } from '../../../tests/support/operator.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'

/** Every key and token that still works can be found, to be revoked. */

const made = suite()
const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
type Listed = { readonly id: string; readonly revokedAt: string | null; readonly madeBy: string }

/** Inserts this many keys of a realm, revoked or not. */
async function addKeys(realm: string, count: number, revoked: boolean): Promise<void> {
  await rows(
    `insert into keys (realm, number, secret_id, hash, name, prefix, last_four, revoked_at)
      select realm, next_key + g, 'k1', sha256((id || next_key + g)::bytea), 'noise', 'exq_', '0000',
        case when $3 then now() end
      from realms, generate_series(0, $2::integer - 1) g where id = $1`,
    [realm, count, revoked],
  )
  await rows('update realms set next_key = next_key + $2 where id = $1', [realm, count])
}

describe('the keys of a realm', () => {
  it('a live key is listed however many newer ones were revoked', async () => {
    const realm = await managed(made)
    const { id } = (await realm.send('POST /keys', { name: 'backdoor' })).json
    await addKeys(realm.id, 2_500, true)
    const { data, nextCursor } = (await realm.send('GET /keys')).json
    assert.ok(data.every((one: Listed) => one.revokedAt === null))
    assert.deepEqual([ids(data).at(-1), nextCursor], [id, null])
    const operated = (await operate(made.app.url, `GET /realms/${realm.id}/keys?status=active`)).json
    assert.deepEqual([ids(operated.data), operated.nextCursor], [ids(data), null])
  })

  it('ended keys are listed in separate pages, each once', async () => {
    const realm = await managed(made)
    await addKeys(realm.id, 25, true)
    await realm.send('POST /keys', { expiresAt: new Date(Date.now() + 300).toISOString() })
    await new Promise((resolve) => setTimeout(resolve, 400))
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data, nextCursor } = (await realm.send(`GET /keys?status=revoked&limit=10${cursor}`)).json
      seen.push(...ids(data))
      if (nextCursor === null) break
      cursor = `&cursor=${nextCursor}`
    }
    assert.equal(seen.length, 26)
    assert.deepEqual(
      seen,
      [...new Set(seen)].toSorted((a, b) => Number(b) - Number(a)),
    )
    const { data } = (await realm.send('GET /keys?limit=1000')).json
    assert.ok(data.every((one: Listed) => !seen.includes(one.id)))
  })

  it('a realm has at most a thousand valid keys', async () => {
    const realm = await managed(made)
    const { count } = (
      await rows('select count(*)::int from keys k join realms r using (realm) where r.id = $1', [realm.id])
    )[0] as { count: number }
    await addKeys(realm.id, 999 - count, false)
    const { id } = (await realm.send('POST /keys', {})).json
    assertProblem(await realm.send('POST /keys', {}), 422, 'key_limit')
    assertProblem(await realm.send(`POST /keys/${id}/rotate`, {}), 422, 'key_limit')
    assert.equal((await realm.send('GET /keys?limit=1000')).json.data.length, 1_000)
    const rotated = await realm.send(`POST /keys/${id}/rotate`, { overlapSeconds: 0 })
    assert.equal(rotated.status, 200, rotated.text)
    await realm.send(`DELETE /keys/${rotated.json.id}`)
    assert.equal((await realm.send('POST /keys', {})).status, 201)
  })

  it('each has its issuer', async () => {
    const realm = await managed(made)
    const { id } = (await realm.send('POST /keys', { name: 'shop' })).json
    const { data: keys } = (await realm.send('GET /keys')).json
    assert.match(keys.find((one: Listed) => one.id === id).madeBy, /^key \d+ \(key\)$/)
    assert.equal(keys[0].madeBy, 'operator')
  })
})

describe('operator tokens', () => {
  it('a live one is listed however many newer ones were revoked', async () => {
    const { id } = (await operate(made.app.url, 'POST /tokens', { name: 'backdoor' })).json
    await rows(
      `insert into operator_tokens (secret_id, hash, name, prefix, last_four, revoked_at)
        select 'k1', sha256(('t' || g)::bytea), 'noise', 'exo_', '0000', now()
        from generate_series(1, 1100) g`,
    )
    const { json } = await operate(made.app.url, 'GET /tokens')
    assert.ok(ids(json.data).includes(id))
    const ended = 'GET /tokens?status=revoked&limit=1000'
    const { json: first } = await operate(made.app.url, ended)
    const { json: rest } = await operate(made.app.url, `${ended}&cursor=${first.nextCursor}`)
    assert.deepEqual([first.data.length, rest.data.length >= 100, rest.nextCursor], [1_000, true, null])
  })

  it('at most a thousand are valid', async () => {
    await rows(
      `insert into operator_tokens (secret_id, hash, name, prefix, last_four)
        select 'k1', sha256(('l' || g)::bytea), 'noise', 'exo_', '0000' from generate_series(1, 1000) g`,
    )
    assertProblem(await operate(made.app.url, 'POST /tokens', { name: 'more' }), 422, 'key_limit')
    await rows("update operator_tokens set revoked_at = now() where name = 'noise'")
  })
})

describe('invitations', () => {
  it('at most a thousand are open', async () => {
    const realm = await managed(made)
    await rows(
      `insert into invitations (secret_id, hash, realm, role, name, made_by, expires_at)
        select 'k1', sha256((id || g)::bytea), realm, 'viewer', 'x', 'x', now() + interval '1 hour'
        from realms, generate_series(1, 1000) g where id = $1`,
      [realm.id],
    )
    const more = await realm.send('POST /invitations', { name: 'x', role: 'viewer' })
    assertProblem(more, 422, 'invitation_limit')
    assert.equal((await realm.send('GET /invitations?limit=1000')).json.data.length, 1_000)
  })
})

const ids = (list: readonly Listed[]) => list.map(({ id }) => id)
