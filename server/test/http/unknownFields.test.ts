import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { manage } from '../../../tests/support/operator.ts'
import { assertInvalid, assertProblem } from '../../../tests/support/problem.ts'
import { suite } from '../../../tests/support/suite.ts'
import { v4 } from '../../../tests/support/v4.ts'

const made = suite()
const { adjust } = v4(made)
const realm = () => `/realms/${made.fixture.realm.id}`

describe('an unknown field', () => {
  it('no field of a body replaces a member or a realm of the path', async () => {
    const named = await manage(made.app.url, `PUT ${realm()}/members/4711`, { id: '4712', username: 'me' })
    assertInvalid(named, '/id')
    const other = await manage(made.app.url, `DELETE ${realm()}/members/4712/wallets/0x00`)
    assertProblem(other, 404, 'member_not_found')
    await manage(made.app.url, `PUT ${realm()}/members/4711`, {})
    const wallet = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
    const stray = { address: wallet, member: rich, realm: 1_000_000 }
    const linked = await manage(made.app.url, `POST ${realm()}/members/4711/wallets`, stray)
    assertInvalid(linked, '/member')
    assertInvalid(linked, '/realm')
  })

  it('is named in valid Unicode, whatever its name', async () => {
    const { status, json } = await manage(made.app.url, `PUT ${realm()}/members/4711`, { '\ud800': 1 })
    assert.equal(status, 400)
    assert.equal(json.errors[0].pointer, '/\ufffd')
    assert.ok(json.detail.isWellFormed())
  })

  it('of metadata is stored', async () => {
    const metadata = { order: 7, nested: { deep: [1, { x: null }] } }
    const { status, json } = await adjust(rich, { tokens: 1, metadata })
    assert.equal(status, 200)
    const [row] = await rowsOf(made.database.superuserUrl, 'select metadata from details where seq = $1', [
      json.transactionId,
    ])
    assert.deepEqual(JSON.parse(row.metadata), metadata)
  })
})
