import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { choose, dialogOf, rowOf, shownSecret } from './support/doing.ts'
import { play } from './support/stage.ts'

const made = play()

async function invite(page: Page, name: string, role?: string): Promise<string> {
  const button = role === undefined ? 'Invite an operator' : 'Invite a team member'
  await page.getByRole('button', { name: button }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Name').fill(name)
  assert.equal(await dialog.getByLabel('E-mail').count(), 0, 'no provider would know the address')
  if (role !== undefined) {
    assert.ok(await dialog.getByLabel('Viewer', { exact: true }).isChecked(), 'the least is suggested')
    await dialog.getByLabel(role, { exact: true }).check()
  }
  await dialog.getByRole('button', { name: /^Invite/ }).click()
  return shownSecret(page)
}

async function open(link: string) {
  const visit = await made.visit()
  await visit.page.goto(link)
  await visit.page.getByRole('button', { name: 'Sign in with this link' }).click()
  return visit
}

describe('people', () => {
  it('are invited, sign in by link, get another role and another link, and are removed', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/people' })
    await rowOf(page, 'Ann Archer').getByText('you', { exact: true }).waitFor()
    const link = await invite(page, 'Ben Baker', 'Viewer')
    await page.getByRole('region', { name: 'Open invitations' }).getByText('Ben Baker').waitFor()
    const ben = await open(link)
    await ben.page.getByRole('heading', { name: 'The Guild' }).waitFor()
    await ben.page.goto(`/console/r/${realm}/people`)
    await ben.page.getByText('Only owners can open this page. Your role is Viewer').waitFor()

    await page.reload()
    await choose(page, 'Ben Baker', 'Change role')
    await dialogOf(page).getByLabel('Owner', { exact: true }).check()
    await dialogOf(page).getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'Ben Baker').getByText('Owner').waitFor()
    await ben.page.reload()
    await ben.page.getByRole('heading', { name: 'People' }).waitFor()
    await rowOf(ben.page, 'Ann Archer').waitFor()

    await choose(page, 'Ben Baker', 'New sign-in link')
    await page.getByRole('button', { name: 'Create link' }).click()
    const again = await open(await shownSecret(page))
    await again.page.getByRole('heading', { name: 'The Guild' }).waitFor()
    await again.close()

    await choose(page, 'Ben Baker', 'Remove from realm')
    await page.getByText('Their past actions stay').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Remove from realm' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await rowOf(page, 'Ben Baker').waitFor({ state: 'detached' })
    await ben.page.waitForTimeout(1_100)
    await ben.page.goto(`/console/r/${realm}/people`)
    await ben.page.getByText('You have no role in this realm').waitFor()
    await ben.close()
    await close()
  })

  it('whose invitation was withdrawn can’t sign in', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/people' })
    const link = await invite(page, 'Mallory', 'Manager')
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('No open invitations.').waitFor()
    const mallory = await open(link)
    await mallory.page.getByText('This link was already used').waitFor()
    await mallory.close()
    await close()
  })
})

describe('the audit log', () => {
  it('shows who did what, filtered by subject and text, which are kept in the URL', async () => {
    const realm = await made.makeRealm()
    for (let at = 0; at < 60; at++) await made.operate('POST', `/realms/${realm}/keys`, { name: `key ${at}` })
    const { page, close } = await made.signedIn('owner', realm, { path: '/points' })
    await page.getByRole('button', { name: 'Add a currency' }).click()
    await dialogOf(page).getByLabel('Name').fill('Gems')
    await dialogOf(page).getByRole('button', { name: 'Add a currency' }).click()
    await page.getByText('Gems added').first().waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await rowOf(page, 'added a currency').getByText('Ann Archer').waitFor()
    await rowOf(page, 'added a currency').getByText('127.0.0.1').last().waitFor()
    await page.getByRole('button', { name: 'Search older events' }).click()
    await rowOf(page, 'created the realm').waitFor()

    await page.getByLabel('About').selectOption('Currencies')
    await rowOf(page, 'issued a key').first().waitFor({ state: 'detached' })
    await rowOf(page, 'added a currency').waitFor()
    assert.match(page.url(), /about=point/)
    await page.getByLabel('Find by person').fill('no such person')
    await page.getByText('No matches').waitFor()
    await page.goto(`/console/r/${realm}/audit?q=ann+archer`)
    await rowOf(page, 'added a currency').waitFor()
    assert.equal(await rowOf(page, 'issued a key').count(), 0)
    await page.getByRole('link', { name: 'Audit log' }).click()
    await rowOf(page, 'issued a key').first().waitFor()
    assert.equal(await page.getByLabel('Find by person').inputValue(), '')
    await close()
  })
})

describe('operators', () => {
  it('invite one another, and are removed', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('operator', realm)
    await page.getByRole('link', { name: 'Operators' }).click()
    const otto = await open(await invite(page, 'Otto Olsen'))
    await otto.page.getByRole('button', { name: 'Create a realm' }).waitFor()
    await page.reload()
    await choose(page, 'Otto Olsen', 'Remove')
    await dialogOf(page).getByText('This can’t be undone.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
    await dialogOf(page).waitFor({ state: 'detached' })
    await rowOf(page, 'Otto Olsen').waitFor({ state: 'detached' })
    await otto.page.waitForTimeout(1_100)
    await otto.page.reload()
    await otto.page.getByText('Ask an owner of your realm or the operator').waitFor()
    await otto.close()
    await page.getByRole('link', { name: 'Audit log' }).last().click()
    await rowOf(page, 'erased a person').first().waitFor()
    await close()
  })
})
