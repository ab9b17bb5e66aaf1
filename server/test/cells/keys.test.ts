import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { type Cells, startCells } from '../../../tests/support/cells.ts'
import { makeRealm, type RealmAccess } from '../../../tests/support/fixture.ts'
import { manage, operate } from '../../../tests/support/operator.ts'
import { anOperator, browser, cookieIn, tokenIn, useLink } from '../../../tests/support/person.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { keyForm } from '../../src/keys/index.ts'

let cells: Cells
/** Created before there was a second cell, and in each of both. */
let old: RealmAccess
let near: RealmAccess
let far: RealmAccess
before(async () => {
  cells = await startCells(undefined, async (first) => {
    old = await makeRealm({ baseUrl: first.url, token: operatorToken }, { id: 'old' })
  })
  near = await makeRealm({ baseUrl: url(0), token: operatorToken }, { id: 'near' })
  far = await makeRealm({ baseUrl: url(1), token: operatorToken }, { id: 'far' })
})
after(() => cells?.close())

const url = (cell: 0 | 1) => cells.apps[cell].url
const read = (cell: 0 | 1, realm: string, key: string) =>
  call('GET', `${url(cell)}/api/v4/realms/${realm}/points`, { key })
const codeOf = async (cell: 0 | 1, realm: string, key: string) => {
  const { status, json } = await read(cell, realm, key)
  return status === 200 ? 200 : `${status} ${json.code}`
}

describe('a key', () => {
  it('is valid in its cell, and 503 wrong_cell in the other one', async () => {
    for (const [realm, own, other] of [
      [old, 0, 1],
      [near, 0, 1],
      [far, 1, 0],
    ] as const) {
      assert.equal(await codeOf(own, realm.id, realm.key), 200)
      const refused = await read(other, realm.id, realm.key)
      assert.equal(`${refused.status} ${refused.json.code}`, '503 wrong_cell', realm.id)
      assert.equal(refused.headers['retry-after'], '1')
    }
  })
  it('of one cell is 403 for any other realm, in both cells', async () => {
    for (const cell of [0, 1] as const) {
      assert.equal(await codeOf(cell, 'near', far.key), '403 forbidden')
      assert.equal(await codeOf(cell, 'far', near.key), '403 forbidden')
      assert.equal(await codeOf(cell, 'far', old.key), '403 forbidden')
      assert.equal(await codeOf(cell, 'none', far.key), '403 forbidden')
    }
  })
  it('that does not exist is 401 in both cells', async () => {
    for (const cell of [0, 1] as const) {
      assert.equal(await codeOf(cell, 'near', keyForm.make()), '401 unauthorized')
      assert.equal(await codeOf(cell, 'far', keyForm.make()), '401 unauthorized')
      assert.equal(await codeOf(cell, 'far', randomBytes(8).toString('hex')), '401 unauthorized')
    }
  })
  it('that was rotated is known in the other cell at once', async () => {
    const { json: keys } = await operate(url(1), 'GET /realms/far/keys')
    const path = `/realms/far/keys/${keys.data[0].id}/rotate`
    const rotated = await operate(url(1), `POST ${path}`, { overlapSeconds: 3600 })
    assert.ok(rotated.json.key, rotated.text)
    assert.equal(await codeOf(1, 'far', rotated.json.key), 200)
    assert.equal(await codeOf(0, 'far', rotated.json.key), '503 wrong_cell')
  })
  it('that was revoked is 401 in its own cell', async () => {
    const made = await operate(url(1), 'POST /realms/far/keys', { name: 'short' })
    assert.equal(await codeOf(1, 'far', made.json.key), 200)
    const revoked = await operate(url(1), `DELETE /realms/far/keys/${made.json.id}`)
    assert.ok(revoked.status < 300, revoked.text)
    const untilMs = Date.now() + 2_000
    while ((await codeOf(1, 'far', made.json.key)) === 200 && Date.now() < untilMs);
    assert.equal(await codeOf(1, 'far', made.json.key), '401 unauthorized')
  })
})

describe('a person', () => {
  it('who was invited in one cell signs in at the other, and works in the first', async () => {
    const invited = await manage(url(1), 'POST /realms/far/invitations', { name: 'Ann', role: 'manager' })
    assert.equal(invited.status, 201, invited.text)
    const signed = await useLink(url(0), tokenIn(invited.json.link))
    assert.equal(signed.status, 200, signed.text)
    assert.deepEqual(signed.json.realms, [{ id: 'far', name: 'far', role: 'manager' }])
    const cookie = cookieIn(signed)
    const key = await browser(url(0), cookie).key('far')
    assert.equal(await codeOf(1, 'far', key), 200)
    assert.equal(await codeOf(0, 'far', key), '503 wrong_cell')
    assert.equal(await codeOf(0, 'near', key), '403 forbidden')
    assert.equal(await codeOf(1, 'near', key), '403 forbidden')
    const other = await browser(url(1), cookie).key('far')
    assert.equal(await codeOf(1, 'far', other), 200)
  })
  it('is named by the entries and in the audit log of a realm in another cell', async () => {
    const invited = await manage(url(1), 'POST /realms/far/invitations', { name: 'Eve', role: 'owner' })
    const signed = await useLink(url(0), tokenIn(invited.json.link))
    const key = await browser(url(0), cookieIn(signed)).key('far')
    const at = `${url(1)}/api/v4/realms/far`
    assert.equal((await call('PUT', `${at}/members/5`, { key, body: {} })).status < 300, true)
    const body = { tokens: 3 }
    assert.equal((await call('PATCH', `${at}/members/5/tokenBalance`, { key, body })).status, 200)
    const history = await call('GET', `${at}/members/5/history`, { key })
    assert.equal(history.json.data[0].person.name, 'Eve', history.text)
    const { json } = await operate(url(1), 'GET /realms/far/audit')
    const shown = json.data.map((act: { action: string; person: { name: string } | null }) => [
      act.action,
      act.person?.name,
    ])
    assert.ok(
      shown.some((act: unknown) => String(act) === 'person.join,Eve'),
      JSON.stringify(shown),
    )
    assert.ok(
      shown.some((act: unknown) => String(act) === 'realm.create,'),
      JSON.stringify(shown),
    )
  })
  it('who is an operator enters realms of all cells', async () => {
    const olga = await anOperator(url(1))
    assert.equal(await codeOf(0, 'near', await olga.key('near')), 200)
    assert.equal(await codeOf(1, 'far', await olga.key('far')), 200)
  })
  it('has a number that no key of the realm has', async () => {
    const numbers = await rowsOf(
      cells.databases[0].superuserUrl,
      `select o.key from roles o join realms r using (realm) where r.id = 'far'`,
    )
    assert.ok(numbers.length >= 2 && numbers.every(({ key }) => key >= 2 ** 30), JSON.stringify(numbers))
  })
})

describe('an operator token', () => {
  it('works in both cells', async () => {
    const { json } = await operate(url(1), 'POST /tokens', { name: 'ann' })
    for (const cell of [0, 1] as const) {
      const listed = await call('GET', `${url(cell)}/operator/v1/realms`, { key: json.token })
      assert.equal(listed.status, 200, listed.text)
    }
  })
})
