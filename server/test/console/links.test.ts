import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { rowsOf } from '../../../tests/support/books.ts'
import { call } from '../../../tests/support/call.ts'
import { asRealm, manage } from '../../../tests/support/operator.ts'
import { cookieIn, invitedPerson, tokenIn, useLink } from '../../../tests/support/person.ts'
import { suite } from '../../../tests/support/suite.ts'

/** One-time links: for whom they are created, and what they allow. */

const made = suite()

const realm = () => made.fixture.realm
const at = (key: string, line: string, body?: unknown) =>
  asRealm(made.app.url, { id: realm().id, key }, { line, body })
const link = async (role = 'viewer') => {
  const invited = await manage(made.app.url, `POST /realms/${realm().id}/invitations`, { name: 'Bo', role })
  return tokenIn(invited.json.link)
}

describe('a link', () => {
  it('works once, however many concurrent requests use it', async () => {
    const token = await link()
    const answers = await Promise.all(Array.from({ length: 8 }, () => useLink(made.app.url, token)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, ...Array<number>(7).fill(403)],
    )
    const again = await useLink(made.app.url, token)
    assert.deepEqual([again.status, again.json.code], [403, 'link_not_valid'])
  })

  it('is not used up by opening its page', async () => {
    const token = await link()
    for (const method of ['GET', 'HEAD'])
      await call(method, `${made.app.url}/console/sign-in/link?token=${token}`)
    assert.equal((await useLink(made.app.url, token)).status, 200)
  })

  it('expires, and can be revoked', async () => {
    const path = `/realms/${realm().id}/invitations`
    const { json } = await manage(made.app.url, `POST ${path}`, { name: 'Cy', role: 'owner' })
    const listed = await manage(made.app.url, `GET ${path}`)
    assert.ok(listed.json.data.some((one: { id: string }) => one.id === json.id))
    assert.ok(!listed.text.includes('exl_'))
    assert.equal((await manage(made.app.url, `DELETE ${path}/${json.id}`)).status, 204)
    assert.equal((await useLink(made.app.url, tokenIn(json.link))).status, 403)
    const late = await link()
    await rowsOf(made.database.superuserUrl, 'update invitations set expires_at = now()')
    assert.equal((await useLink(made.app.url, late)).status, 403)
  })
})

describe('an owner', () => {
  const person = async (role: string) => {
    const one = await invitedPerson(made.app.url, realm(), { role })
    return (await one.send('GET', '/console/session')).json.person.id as string
  }

  it('creates links only for people of the own realm', async () => {
    const owner = await invitedPerson(made.app.url, realm(), { role: 'owner' })
    const key = await owner.key(realm().id)
    const id = await person('viewer')
    const back = await at(key, `POST /people/${id}/link`)
    assert.equal(back.status, 200, back.text)
    const answer = await useLink(made.app.url, tokenIn(back.json.link))
    assert.equal(answer.json.person.id, id)
    assert.ok(cookieIn(answer).startsWith('exchequer-session=exs_'))
    const stranger = await invitedPerson(made.app.url, made.fixture.other, { role: 'owner' })
    const elsewhere = (await stranger.send('GET', '/console/session')).json.person.id
    const none = await at(key, `POST /people/${elsewhere}/link`)
    assert.deepEqual([none.status, none.json.code], [404, 'person_not_found'])
  })

  it('can’t create a link for a person with rights beyond the realm', async () => {
    const owner = await invitedPerson(made.app.url, realm(), { role: 'owner' })
    const key = await owner.key(realm().id)
    const id = await person('viewer')
    const { json } = await at(key, `POST /people/${id}/link`)
    await rowsOf(made.database.superuserUrl, 'update people set operator = true where person = $1', [id])
    const refused = await at(key, `POST /people/${id}/link`)
    assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden'])
    const late = await useLink(made.app.url, tokenIn(json.link))
    assert.deepEqual([late.status, late.json.code], [403, 'link_not_valid'])
  })
})
