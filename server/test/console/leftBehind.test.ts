import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { rich } from '../../../tests/support/fixture.ts'
import { asRealm, manage, operate } from '../../../tests/support/operator.ts'
import {
  anOperator,
  browser,
  cookieIn,
  invitedPerson,
  tokenIn,
  useLink,
} from '../../../tests/support/person.ts'
import { suite } from '../../../tests/support/suite.ts'

/** What a demoted, removed or erased person has created is cancelled, or listed to be revoked. */

const made = suite()
const realm = () => made.fixture.realm
const scopes = ['realm:admin', 'wallets:write']

/** An owner who created an invitation and a page link in the console, and the same by a key they issued. */
async function owner() {
  const one = await invitedPerson(made.app.url, realm(), { role: 'owner', name: 'Mal' })
  const { id } = (await one.send('GET', '/console/session')).json.person as { id: string }
  const session = await one.key(realm().id)
  const send = (key: string) => async (line: string, body?: unknown) => {
    const answer = await asRealm(made.app.url, { id: realm().id, key }, { line, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.json
  }
  const issued = await send(session)('POST /keys', { name: 'mine', scopes })
  const further = await send(issued.key)('POST /keys', { name: 'further', scopes })
  const invitations: string[] = []
  const pages: string[] = []
  for (const key of [session, issued.key, further.key]) {
    const invitation = await send(key)('POST /invitations', { name: 'Mal again', role: 'owner' })
    invitations.push(tokenIn(invitation.link))
    pages.push((await send(key)(`POST /members/${rich}/wallets/links`, {})).url)
  }
  return { id, invitations, pages, keys: [issued.id, further.id] as string[] }
}

const works = async (invitation: string) => (await useLink(made.app.url, invitation)).status === 200
async function opens(page: string): Promise<boolean> {
  const url = made.app.url + new URL(page).pathname
  return (await fetch(`${url}/details`)).status === 200
}
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)

describe('invitations and links of a person', () => {
  it('exist before', async () => {
    const { invitations, pages } = await owner()
    for (const page of pages) assert.ok(await opens(page))
    for (const invitation of invitations) assert.ok(await works(invitation))
  })

  for (const [what, method, body] of [
    ['removed', 'DELETE', undefined],
    ['demoted', 'PATCH', { role: 'viewer' }],
  ] as const) {
    it(`are cancelled when the person is ${what}, and their keys are listed`, async () => {
      const { id, invitations, pages, keys } = await owner()
      const answer = await manage(made.app.url, `${method} /realms/${realm().id}/people/${id}`, body)
      assert.equal(answer.status, method === 'DELETE' ? 204 : 200, answer.text)
      const orphaned = (await manage(made.app.url, `GET /realms/${realm().id}/keys/orphaned`)).json.data
      const own = orphaned.filter(({ issuer }: { issuer: { id: string } }) => issuer.id === id)
      assert.deepEqual(idsOf(own), keys)
      for (const invitation of invitations) assert.ok(!(await works(invitation)))
      for (const page of pages) assert.ok(!(await opens(page)))
    })
  }

  it('stay when the person gets a higher role, or another person is removed', async () => {
    const { id } = await owner()
    const other = await owner()
    await manage(made.app.url, `DELETE /realms/${realm().id}/people/${id}`)
    await manage(made.app.url, `PATCH /realms/${realm().id}/people/${other.id}`, { role: 'owner' })
    for (const page of other.pages) assert.ok(await opens(page))
    for (const invitation of other.invitations) assert.ok(await works(invitation))
  })

  it('are cancelled when the person is erased; keys and tokens of all realms are listed', async () => {
    const { id, invitations, pages, keys } = await owner()
    assert.equal((await operate(made.app.url, `DELETE /people/${id}`)).status, 204)
    const { json } = await operate(made.app.url, `GET /people/${id}/issued`)
    assert.deepEqual(idsOf(json.keys), keys)
    assert.ok(json.keys.every((one: { realmId: string }) => one.realmId === realm().id))
    for (const invitation of invitations) assert.ok(!(await works(invitation)))
    for (const page of pages) assert.ok(!(await opens(page)))
  })

  it('an operator who is erased can’t return by their own invitation', async () => {
    const invited = (await operate(made.app.url, 'POST /invitations', { name: 'Op' })).json
    const one = browser(made.app.url, cookieIn(await useLink(made.app.url, tokenIn(invited.link))))
    const { id } = (await one.send('GET', '/console/session')).json.person
    const { token } = (await one.send('POST', '/console/session/operator-token')).json
    const as = async (key: string, path: string, name: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ name })
      const answer = await fetch(`${made.app.url}/operator/v1${path}`, { method: 'POST', headers, body })
      assert.equal(answer.status, 201)
      // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is what the tests look at
      return (await answer.json()) as any
    }
    const issued = await as(token, '/tokens', 'mine')
    const links = [await as(token, '/invitations', 'Op2'), await as(issued.token, '/invitations', 'Op3')]
    await operate(made.app.url, `DELETE /people/${id}`)
    const { json } = await operate(made.app.url, `GET /people/${id}/issued`)
    assert.deepEqual(idsOf(json.tokens), [issued.id])
    for (const { link } of links) assert.ok(!(await works(tokenIn(link))))
    const left = 'select count(*)::int as count from invitations where made_by_person = $1'
    assert.deepEqual(await rowsOf(made.database.superuserUrl, left, [Number(id)]), [{ count: 0 }])
  })
})

describe('a key whose issuer may no longer issue keys', () => {
  const orphaned = async () => {
    const { json } = await manage(made.app.url, `GET /realms/${realm().id}/keys/orphaned`)
    return json.data as { id: string; issuer: { id: string; name: string | null; role: string | null } }[]
  }
  const of = async (person: string) => (await orphaned()).filter(({ issuer }) => issuer.id === person)

  it('is listed from when they are demoted, removed and erased, until it is revoked', async () => {
    const { id, keys } = await owner()
    assert.deepEqual(await of(id), [])
    const at = `/realms/${realm().id}/people/${id}`
    for (const [send, line, name, role] of [
      [manage, `PATCH ${at}`, 'Mal', 'manager'],
      [manage, `DELETE ${at}`, 'Mal', null],
      [operate, `DELETE /people/${id}`, null, null],
    ] as const) {
      await send(made.app.url, line, role === null ? undefined : { role })
      const left = await of(id)
      assert.deepEqual(idsOf(left), keys)
      for (const { issuer } of left) assert.deepEqual(issuer, { id, name, role })
    }
    for (const key of keys) await operate(made.app.url, `DELETE /realms/${realm().id}/keys/${key}`)
    assert.deepEqual(await of(id), [])
  })

  it('is not a key of an owner, of an operator, or of no person', async () => {
    const { id } = await owner()
    const one = await anOperator(made.app.url)
    const key = await one.key(realm().id)
    await asRealm(made.app.url, { id: realm().id, key }, { line: 'POST /keys', body: { name: 'hers' } })
    const { json } = await one.send('GET', '/console/session')
    await operate(made.app.url, `POST /realms/${realm().id}/keys`, { name: 'of the token' })
    assert.deepEqual([...(await of(id)), ...(await of(json.person.id))], [])
  })

  it('is shown to its realm, only to keys with realm:admin', async () => {
    const { id } = await owner()
    await manage(made.app.url, `DELETE /realms/${realm().id}/people/${id}`)
    const { json } = await manage(made.app.url, `GET /realms/${made.fixture.other.id}/keys/orphaned`)
    assert.deepEqual(json.data, [])
    const refused = await asRealm(made.app.url, realm(), { line: 'GET /keys/orphaned' })
    assert.equal(refused.json.code, 'insufficient_scope')
  })
})

describe('when a person was last seen', () => {
  it('is shown to a realm only for visits to that realm', async () => {
    const one = await invitedPerson(made.app.url, realm(), { role: 'viewer', name: 'Vi' })
    const { id } = (await one.send('GET', '/console/session')).json.person
    const seen = async () => {
      const { data: people } = (await manage(made.app.url, `GET /realms/${realm().id}/people`)).json
      return people.find((person: { id: string }) => person.id === id).lastSeenAt as string | null
    }
    assert.equal(await seen(), null)
    await one.key(realm().id)
    assert.ok(Math.abs(Date.parse((await seen()) ?? '') - Date.now()) < 60_000)
  })
})
