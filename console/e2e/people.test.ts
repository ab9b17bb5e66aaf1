import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { choose, dialogOf, rowOf, shownSecret } from './support/doing.ts'
import { play } from './support/stage.ts'

const made = play()

async function invite(page: Page, name: string, role?: string): Promise<string> {
  const button = role === undefined ? 'Invite an operator' : 'Invite somebody'
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
  it('are invited, sign in by the link, change their role, get another link, and go', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/people' })
    await rowOf(page, 'Ann Archer').getByText('you', { exact: true }).waitFor()
    const link = await invite(page, 'Ben Baker', 'Viewer')
    await page.getByRole('region', { name: 'Open invitations' }).getByText('Ben Baker').waitFor()
    const ben = await open(link)
    await ben.page.getByRole('heading', { name: 'The Guild' }).waitFor()
    await ben.page.goto(`/console/r/${realm}/people`)
    await ben.page.getByText('This page is for owners, and your role here is Viewer').waitFor()

    await page.reload()
    await choose(page, 'Ben Baker', 'Change role')
    await dialogOf(page).getByLabel('Owner', { exact: true }).check()
    await dialogOf(page).getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'Ben Baker').getByText('Owner').waitFor()
    await ben.page.reload()
    await ben.page.getByRole('heading', { name: 'People' }).waitFor()
    await rowOf(ben.page, 'Ann Archer').waitFor()

    await choose(page, 'Ben Baker', 'New link to sign in')
    await page.getByRole('button', { name: 'Make the link' }).click()
    const again = await open(await shownSecret(page))
    await again.page.getByRole('heading', { name: 'The Guild' }).waitFor()
    await again.close()

    await choose(page, 'Ben Baker', 'Take the role away')
    await page.getByText('What they did stays').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Take the role away' }).click()
    await rowOf(page, 'Ben Baker').waitFor({ state: 'detached' })
    await ben.page.waitForTimeout(1_100)
    await ben.page.goto(`/console/r/${realm}/people`)
    await ben.page.getByText('You have no role in this realm').waitFor()
    await ben.close()
    await close()
  })

  it('who were invited by mistake are not let in any more', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/people' })
    const link = await invite(page, 'Mallory', 'Manager')
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('Nobody has an invitation that is still open.').waitFor()
    const mallory = await open(link)
    await mallory.page.getByText('This link was used already').waitFor()
    await mallory.close()
    await close()
  })
})

describe('the audit log', () => {
  it('tells who did what, and is narrowed down by subject and by words, in the address', async () => {
    const realm = await made.makeRealm()
    for (let at = 0; at < 60; at++) await made.operate('POST', `/realms/${realm}/keys`, { name: `key ${at}` })
    const { page, close } = await made.signedIn('owner', realm, { path: '/points' })
    await page.getByRole('button', { name: 'Add a kind of points' }).click()
    await dialogOf(page).getByLabel('Name').fill('Gems')
    await dialogOf(page).getByRole('button', { name: 'Add a kind of points' }).click()
    await page.getByText('Gems is added').first().waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await rowOf(page, 'added a kind of points').getByText('Ann Archer').waitFor()
    await rowOf(page, 'added a kind of points').getByText('127.0.0.1').last().waitFor()
    await page.getByRole('button', { name: 'Look further back' }).click()
    await rowOf(page, 'made the realm').waitFor()

    await page.getByLabel('About').selectOption('Kinds of points')
    await rowOf(page, 'issued a key').first().waitFor({ state: 'detached' })
    await rowOf(page, 'added a kind of points').waitFor()
    assert.match(page.url(), /about=point/)
    await page.getByLabel('Find by person').fill('nobody at all')
    await page.getByText('Nothing like that was found').waitFor()
    await page.goto(`/console/r/${realm}/audit?q=ann+archer`)
    await rowOf(page, 'added a kind of points').waitFor()
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
    await otto.page.getByRole('button', { name: 'Make a realm' }).waitFor()
    await page.reload()
    await choose(page, 'Otto Olsen', 'Remove')
    await dialogOf(page).getByText('This can’t be undone.').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Remove' }).click()
    await rowOf(page, 'Otto Olsen').waitFor({ state: 'detached' })
    await otto.page.waitForTimeout(1_100)
    await otto.page.reload()
    await otto.page.getByText('Ask the operator, or an owner of your realm').waitFor()
    await otto.close()
    await page.getByRole('link', { name: 'Audit log' }).last().click()
    await rowOf(page, 'forgot a person').first().waitFor()
    await close()
  })
})
