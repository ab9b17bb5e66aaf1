import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { dialogOf } from './support/doing.ts'
import { play } from './support/stage.ts'

const made = play()

async function realmWithBoth(): Promise<{ realm: string; at: string }> {
  const realm = await made.makeRealm()
  const at = `/realms/${realm}`
  await made.manage('POST', `${at}/members`, {
    members: [
      { id: '7', displayName: 'Ada' },
      { id: '8', displayName: 'Ben' },
    ],
  })
  for (const id of ['7', '8']) {
    await made.manage('PATCH', `${at}/members/${id}/tokenBalance`, { tokens: 100 })
    await made.manage('POST', `${at}/members/${id}/holds`, { tokens: 30 })
    await made.manage('POST', `${at}/members/${id}/awards`, { tokens: 5 })
  }
  return { realm, at }
}

const balanceOf = async (at: string, id: string) => {
  const member = (await made.manage('GET', `${at}/members/${id}`)) as { tokenBalance: number }
  return member.tokenBalance
}

/** The rows can't be found while a dialog is open: without it, every row seems to be gone. */
async function untilGone(page: Page, name: string): Promise<void> {
  await dialogOf(page).waitFor({ state: 'detached' })
  await rowOf(page, name).waitFor({ state: 'detached' })
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

describe('the page of holds', () => {
  it('lists those of all members; one is charged or released after a preview', async () => {
    const { realm, at } = await realmWithBoth()
    const { page, close } = await made.signedIn('manager', realm, { path: '/reserved' })
    await rowOf(page, 'Ada').getByRole('button', { name: 'Release' }).click()
    await dialogOf(page).getByText('100', { exact: true }).waitFor()
    assert.equal(await balanceOf(at, '7'), 70, 'a preview changes nothing')
    await dialogOf(page).getByRole('button', { name: 'Release' }).click()
    await untilGone(page, 'Ada')
    assert.equal(await balanceOf(at, '7'), 100)
    await rowOf(page, 'Ben').getByRole('button', { name: 'Charge' }).click()
    await dialogOf(page).getByRole('button', { name: 'Charge' }).click()
    await page.getByText('No open holds').waitFor()
    assert.equal(await balanceOf(at, '8'), 70)
    await close()
  })

  it('lists pending awards too, and shows one that is made meanwhile', async () => {
    const { realm, at } = await realmWithBoth()
    const { page, close } = await made.signedIn('manager', realm, { path: '/reserved' })
    await page.getByText('Pending awards').click()
    await rowOf(page, 'Ada').getByRole('button', { name: 'Grant' }).click()
    await dialogOf(page).getByRole('button', { name: 'Grant' }).click()
    await untilGone(page, 'Ada')
    assert.equal(await balanceOf(at, '7'), 75)
    await page.getByText('Live', { exact: true }).waitFor()
    await made.manage('POST', `${at}/members/8/awards`, { tokens: 41 })
    await rowOf(page, '41').waitFor()
    await close()
  })

  it('has no buttons for a viewer', async () => {
    const { realm } = await realmWithBoth()
    const { page, close } = await made.signedIn('viewer', realm, { path: '/reserved' })
    await rowOf(page, 'Ada').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Charge' }).count(), 0)
    await close()
  })
})
