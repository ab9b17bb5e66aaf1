import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { violations } from './support/axe.ts'
import { change } from './support/database.ts'
import { rowOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

/** Invitations to an address that a provider has verified: the person accepts or declines them. */

const made = play()

/** A person with a role in a realm, whose address a provider has verified. */
async function vouched() {
  const realm = await made.makeRealm()
  const email = `ann-${randomBytes(4).toString('hex')}@example.com`
  const invite = (id: string, role: string) =>
    made.manage('POST', `/realms/${id}/invitations`, { name: 'Invited', email, role })
  const { link } = (await invite(realm, 'owner')) as { link: string }
  const { pathname, hash } = new URL(link)
  const visit = await made.visit()
  await visit.page.goto(pathname + hash)
  await visit.page.getByRole('button', { name: 'Sign in with this link' }).click()
  await visit.page.getByRole('heading', { name: 'The Guild' }).waitFor()
  const text = `update people set issuer = 'https://provider.example', subject = email, name = 'Ann Archer'
    where email = $1`
  await change(made.stage.urls, text, [email])
  return { visit, invite, realm }
}

describe('a person with invitations', () => {
  it('sees them on every page, accepts one and declines another', async () => {
    const [first, second] = [await made.makeRealm(), await made.makeRealm()]
    await made.manage('PATCH', `/realms/${first}`, { name: 'The Alchemists' })
    await made.manage('PATCH', `/realms/${second}`, { name: 'The Bards' })
    const owner = await made.signedIn('owner', first, { path: '/people' })
    const { visit, invite, realm } = await vouched()
    await invite(first, 'manager')
    await invite(second, 'viewer')

    const { page } = visit
    await page.goto(`/console/r/${realm}/members`)
    await page.getByText('You have 2 invitations.').waitFor()
    await picture(made, page, 'invited-banner')
    await page.getByRole('link', { name: 'View', exact: true }).click()
    await page.getByRole('heading', { name: 'Invitations for you' }).waitFor()
    await picture(made, page, 'invited')
    assert.deepEqual(await violations(page), [])
    await owner.page.reload()
    await owner.page
      .getByRole('region', { name: 'Open invitations' })
      .getByRole('cell', { name: 'Invited' })
      .waitFor()
    assert.equal(await rowOf(owner.page, 'Manager').filter({ hasText: 'by link' }).count(), 0)

    await page.getByRole('button', { name: 'Accept the invitation to The Alchemists' }).click()
    await page.getByText('You have joined The Alchemists').first().waitFor()
    await page.getByRole('link', { name: 'The Alchemists' }).waitFor()
    await owner.page.reload()
    await rowOf(owner.page, 'with an account').getByText('Manager').waitFor()

    await page.getByRole('button', { name: 'Decline the invitation to The Bards' }).click()
    await page.getByRole('heading', { name: 'Invitations for you' }).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('link', { name: 'The Bards' }).count(), 0)
    await page.goto(`/console/r/${realm}/members`)
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    assert.equal(await page.getByText('You have an invitation.').count(), 0)
    await visit.close()
    await owner.close()
  })
})
