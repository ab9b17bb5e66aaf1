import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { rowsOf } from '../../../tests/support/books.ts'
import type { RealmAccess } from '../../../tests/support/fixture.ts'
import { manage, operate } from '../../../tests/support/operator.ts'
import { browser, cookieIn, invitedPerson, tokenIn, useLink } from '../../../tests/support/person.ts'
import { type OpenId, openId, signInBy } from '../../../tests/support/provider.ts'
import { suite } from '../../../tests/support/suite.ts'
import type { App } from '../../src/app/index.ts'

/** An invitation to an address gives a realm nothing until the person has accepted it. */

const site = 'http://127.0.0.1:1'
const names = ['ann', 'bo', 'cy', 'dee', 'eve', 'fay', 'gus', 'hal', 'ida', 'jo', 'kim']
const accounts = Object.fromEntries(
  names.map((name) => [name, { name: `Called ${name}`, email: `${name}@example.com`, email_verified: true }]),
)

const another = moreApps()
let provider: OpenId
let app: App
after(() => provider?.close())
const made = suite({}, async (ready) => {
  const redirectUri = `${site}/console/sign-in/callback`
  const client = { client_id: 'exchequer', client_secret: 'a secret of the tests' }
  provider = await openId({ redirectUri, client, accounts })
  app = await another(ready, {
    PUBLIC_URL: site,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
  })
})
const own = () => made.fixture.realm
const strange = () => made.fixture.other

const invite = async ({ id }: RealmAccess, name: string, role = 'viewer') => {
  const who = { name: 'Invited', email: `${name}@example.com`, role }
  return (await manage(app.url, `POST /realms/${id}/invitations`, who)).json
}
const peopleOf = async ({ id }: RealmAccess) =>
  (await manage(app.url, `GET /realms/${id}/people`)).json.data as { name: string; role: string }[]
const openIn = async ({ id }: RealmAccess): Promise<string[]> =>
  (await manage(app.url, `GET /realms/${id}/invitations`)).json.data.map((one: { id: string }) => one.id)
const auditOf = async ({ id }: RealmAccess) => (await operate(app.url, `GET /realms/${id}/audit`)).text

async function signIn(account: string) {
  const cookie = cookieIn(await signInBy({ app, provider, account }))
  const visitor = browser(app.url, cookie)
  const headers = { origin: site }
  const answer = (id: string, what: string) =>
    visitor.send('POST', `/console/session/invitations/${id}/${what}`, { headers })
  return {
    session: async () => (await visitor.send('GET', '/console/session', { headers })).json,
    keyOf: async ({ id }: RealmAccess) =>
      (await visitor.send('POST', '/console/session/keys', { headers, body: { realm: id } })).status,
    accept: (id: string) => answer(id, 'accept'),
    decline: (id: string) => answer(id, 'decline'),
  }
}

/** A person of the own realm whom another realm invites as well. */
async function invitedTwice(name: string) {
  const first = await invite(own(), name, 'owner')
  assert.equal((await (await signIn(name)).accept(first.id)).status, 200)
  const second = await invite(strange(), name)
  return { invitation: second.id as string, token: tokenIn(second.link), person: await signIn(name) }
}

describe('an existing person', () => {
  it('is neither joined to a realm that invites their address nor shown to it', async () => {
    const { person } = await invitedTwice('ann')
    const { realms, invitations } = await person.session()
    assert.deepEqual(
      realms.map(({ id }: RealmAccess) => id),
      [own().id],
    )
    assert.equal(invitations.length, 1)
    assert.equal(await person.keyOf(strange()), 403)
    assert.deepEqual(await peopleOf(strange()), [])
    assert.doesNotMatch(await auditOf(strange()), /Called ann|person\.join/)
  })

  it('sees the realm, role and expiry of an invitation, and joins the realm on acceptance', async () => {
    const { person, invitation } = await invitedTwice('bo')
    const [{ id, realm, role, expiresAt }] = (await person.session()).invitations
    assert.deepEqual([id, realm.id, role], [invitation, strange().id, 'viewer'])
    assert.ok(Date.parse(expiresAt) > Date.now())
    assert.equal((await person.accept(id)).status, 200)
    const session = await person.session()
    assert.deepEqual([session.invitations, session.realms.length], [[], 2])
    assert.equal(await person.keyOf(strange()), 200)
    assert.deepEqual(
      (await peopleOf(strange())).filter(({ name }) => name === 'Called bo').map((one) => one.role),
      ['viewer'],
    )
    assert.ok(!(await openIn(strange())).includes(invitation))
    assert.equal((await person.accept(id)).json.code, 'invitation_not_found')
  })

  it('who declines does not see it again, and the realm is not informed', async () => {
    const { person, invitation, token } = await invitedTwice('cy')
    const before = await auditOf(strange())
    assert.equal((await person.decline(invitation)).status, 200)
    assert.deepEqual((await person.session()).invitations, [])
    assert.deepEqual((await (await signIn('cy')).session()).invitations, [])
    assert.ok((await openIn(strange())).includes(invitation), 'still open as the realm sees it')
    assert.equal(await auditOf(strange()), before)
    assert.match((await operate(app.url, 'GET /audit')).text, /invitation\.decline/)
    assert.equal((await person.accept(invitation)).json.code, 'invitation_not_found')
    assert.equal((await useLink(app.url, token, { origin: site })).status, 200, 'its link is for its holder')
  })

  it('sees one invitation for each realm, however many it sends; accepting uses up all of them', async () => {
    const { person } = await invitedTwice('dee')
    await invite(strange(), 'dee', 'manager')
    const last = await invite(strange(), 'dee', 'owner')
    const { invitations } = await person.session()
    assert.deepEqual(
      invitations.map((one: { id: string }) => one.id),
      [last.id],
    )
    await person.accept(last.id)
    const left = `select count(*)::int as count from invitations where email = 'dee@example.com'`
    assert.deepEqual(await rowsOf(made.database.superuserUrl, left), [{ count: 0 }])
    assert.equal((await peopleOf(strange())).find(({ name }) => name === 'Called dee')?.role, 'owner')
  })
})

describe('a new person', () => {
  it('signs in by the provider, and has no role before they accept', async () => {
    const { id } = await invite(own(), 'eve', 'owner')
    const eve = await signIn('eve')
    const { realms, invitations, operator } = await eve.session()
    assert.deepEqual([realms, invitations.length, operator], [[], 1, false])
    assert.ok(!(await peopleOf(own())).some(({ name }) => name === 'Called eve'))
    await eve.accept(id)
    assert.equal((await eve.session()).realms[0].role, 'owner')
  })

  it('who signs in ten times concurrently is stored once', async () => {
    await invite(own(), 'fay')
    const all = await Promise.all(Array.from({ length: 10 }, () => signIn('fay')))
    const ids = await Promise.all(all.map(async (one) => (await one.session()).person.id))
    assert.equal(new Set(ids).size, 1)
  })

  it('is not an operator before they accept', async () => {
    const made = await operate(app.url, 'POST /invitations', { name: 'Gus', email: 'gus@example.com' })
    const gus = await signIn('gus')
    const [invitation] = (await gus.session()).invitations
    assert.deepEqual([invitation.realm, invitation.role], [null, null])
    assert.doesNotMatch((await operate(app.url, 'GET /people')).text, /Called gus/)
    await gus.accept(made.json.id)
    assert.equal((await gus.session()).operator, true)
    assert.match((await operate(app.url, 'GET /people')).text, /Called gus/)
  })
})

describe('an invitation', () => {
  it('to another address can’t be accepted', async () => {
    const { invitation } = await invitedTwice('hal')
    await invite(own(), 'ida')
    const ida = await signIn('ida')
    assert.equal((await ida.accept(invitation)).json.code, 'invitation_not_found')
    assert.equal((await ida.decline(invitation)).json.code, 'invitation_not_found')
    assert.equal((await ida.accept('x')).json.code, 'invitation_not_found')
  })

  it('can’t be accepted by the holder of a link that names the address', async () => {
    const link = await manage(app.url, `POST /realms/${own().id}/invitations`, {
      name: 'Impostor',
      email: 'jo@example.com',
      role: 'viewer',
    })
    const { id } = await invite(strange(), 'jo', 'owner')
    const impostor = await useLink(app.url, tokenIn(link.json.link), { origin: site })
    const visitor = browser(app.url, cookieIn(impostor))
    const headers = { origin: site }
    assert.deepEqual((await visitor.send('GET', '/console/session', { headers })).json.invitations, [])
    const path = `/console/session/invitations/${id}/accept`
    assert.equal((await visitor.send('POST', path, { headers })).json.code, 'invitation_not_found')
    assert.equal((await peopleOf(strange())).filter(({ name }) => name === 'Impostor').length, 0)
  })

  it('that was deleted can’t be accepted any more', async () => {
    const { person, invitation } = await invitedTwice('kim')
    await manage(app.url, `DELETE /realms/${strange().id}/invitations/${invitation}`)
    assert.deepEqual((await person.session()).invitations, [])
    assert.equal((await person.accept(invitation)).json.code, 'invitation_not_found')
  })

  it('can be answered only by the console’s own page', async () => {
    const one = await invitedPerson(made.app.url, own(), { role: 'viewer' })
    const path = '/console/session/invitations/1/accept'
    const headers = { origin: 'https://evil.example' }
    assert.equal((await one.send('POST', path, { headers })).status, 403)
  })
})
