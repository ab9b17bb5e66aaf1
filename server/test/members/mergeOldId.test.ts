import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { managed } from '../../../tests/support/manager.ts'
import { assertProblem } from '../../../tests/support/problem.ts'
import { mergingSuite } from './merging.ts'

/** Requests to the old id of a merged member. */
const { made, send, realm, read, give, put, raw, merged } = mergingSuite()

describe('requests to the old id', () => {
  it('act on the survivor; answers have its id and Content-Location', async () => {
    await give('400', 10)
    await give('401', 5)
    await merged('400', '401')
    const shown = await raw('GET /members/401')
    assert.deepEqual([shown.json.id, shown.json.tokenBalance], ['400', 15])
    assert.equal(shown.headers['content-location'], `/api/v4/realms/${realm().id}/members/400`)
    const changed = await raw('PATCH /members/401/tokenBalance', { tokens: 2 })
    assert.equal(changed.json.newBalance, 17)
    assert.equal(changed.headers['content-location'], `/api/v4/realms/${realm().id}/members/400/tokenBalance`)
    const again = await raw('PATCH /members/401/tokenBalance', { tokens: 1 })
    assert.equal(again.headers['content-location'], `/api/v4/realms/${realm().id}/members/400/tokenBalance`)
    assert.equal(
      (await raw('PATCH /members/400/tokenBalance', { tokens: 1 })).headers['content-location'],
      undefined,
    )
    assert.equal((await put('401', { username: 'neo' })).json.id, '400')
    assert.equal((await read('400')).username, 'neo')
    const holds = await raw('GET /members/401/holds')
    assert.deepEqual(holds.json.data, [])
    for (const line of ['identities', 'history', 'wallets', 'profile'])
      assert.equal((await raw(`GET /members/401/${line}`)).status, 200, line)
    const rank = await raw('GET /members/401/rank')
    if (rank.status === 200) assert.equal(rank.json.member.id, '400')
  })

  it('never create a member, also in a closed realm and by import of members', async () => {
    const closed = await managed(made)
    await closed.send('PUT /members/1', {})
    await closed.send('PUT /members/2', {})
    await closed.send('PATCH /members/2/tokenBalance', { tokens: 3 })
    assert.equal((await closed.send('POST /members/1/merges', { from: '2', force: true })).status, 201)
    assert.equal((await closed.send('PATCH /members/2/tokenBalance', { tokens: 1 })).json.newBalance, 4)
    assert.equal((await closed.send('POST /members', { members: [{ id: '2', note: 'x' }] })).json.created, 0)
    const { json } = await closed.send('GET /members')
    assert.deepEqual(
      json.data.map(({ id }: { id: string }) => id),
      ['1'],
    )
  })

  it('If-None-Match: * is 412: the id is taken', async () => {
    await give('410', 1)
    await give('411', 1)
    await merged('410', '411')
    const created = await raw('PUT /members/411', {}, { 'if-none-match': '*' })
    assert.equal(created.status, 412, created.text)
  })

  it('the old id is an identity that can’t be unlinked', async () => {
    await give('420', 1)
    await give('421', 1)
    await merged('420', '421')
    const { json } = await send('GET /members/420/identities')
    assert.deepEqual(
      json.data.map(({ identity }: { identity: string }) => identity),
      ['id:421'],
    )
    assert.equal((await send('DELETE /members/420/identities/id:421')).status, 400)
    assert.equal((await read('421')).id, '420')
  })

  it('a retry of the same bytes is the same request before and after the merge', async () => {
    await give('430', 1)
    await give('431', 1)
    const line = 'PATCH /members/431/tokenBalance'
    const headers = { 'idempotency-key': 'merge-1' }
    const first = await raw(line, { tokens: 5 }, headers)
    await merged('430', '431')
    const again = await raw(line, { tokens: 5 }, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.equal((await read('430')).tokenBalance, 7)
    const other = await raw('PATCH /members/430/tokenBalance', { tokens: 5 }, headers)
    assertProblem(other, 422, 'idempotency_key_reused')
  })

  it('a retried merge is the same merge', async () => {
    await give('440', 1)
    await give('441', 1)
    const headers = { 'idempotency-key': 'merge-2' }
    const body = { from: '441', force: true }
    const first = await raw('POST /members/440/merges', body, headers)
    const again = await raw('POST /members/440/merges', body, headers)
    assert.deepEqual([again.status, again.text], [201, first.text])
  })
})

describe('ETag and If-Match', () => {
  it('compare the account: an ETag of the merged id is 412', async () => {
    await give('500', 1)
    await give('501', 1)
    const old = (await raw('GET /members/501')).headers['etag'] as string
    assert.match(old, /^"\d+-\d+-[^"]+"$/)
    await merged('500', '501')
    const changed = await raw('PATCH /members/501/tokenBalance', { tokens: 1 }, { 'if-match': old })
    assertProblem(changed, 412, 'precondition_failed')
    const now = (await raw('GET /members/501')).headers['etag'] as string
    assert.equal(
      (await raw('PATCH /members/501/tokenBalance', { tokens: 1 }, { 'if-match': now })).status,
      200,
    )
  })

  it('two members whose points were moved by one entry have different ETags', async () => {
    await give('510', 5)
    await send('POST /changes', { changes: [{ memberId: '510', recipientId: '511', tokens: 1 }] })
    const tag = (await raw('GET /members/510')).headers['etag'] as string
    const changed = await raw('PATCH /members/511/tokenBalance', { tokens: 1 }, { 'if-match': tag })
    assertProblem(changed, 412, 'precondition_failed')
  })
})
