import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from './support/axe.ts'
import { dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

async function ask(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Erase member' }).click()
  await page.getByRole('heading', { name: 'Erase Ada?' }).waitFor()
  return dialogOf(page)
}

describe('erasing a member', () => {
  it('says what it reaches, waits until no points are left, and asks for the ID', async () => {
    const realm = await made.makeRealm()
    const at = `/realms/${realm}/members/7`
    await made.manage('PUT', at, { displayName: 'Ada' })
    await made.manage('PATCH', `${at}/tokenBalance`, { tokens: 50, reason: 'Won the quiz' })
    const { page, close } = await made.signedIn('owner', realm, { path: '/members/7' })
    const dialog = await ask(page)
    await dialog.getByText('Ada still has points: 50 Gold.').waitFor()
    const erase = dialog.getByRole('button', { name: 'Erase', exact: true })
    assert.ok(await erase.isDisabled())
    await page.keyboard.press('Escape')
    await made.manage('PATCH', `${at}/tokenBalance`, { tokens: -50 })
    await page.getByRole('button', { name: /^Gold/ }).getByText('0', { exact: true }).waitFor()
    await ask(page)
    await dialog.getByText('Backups, exported files').waitFor()
    await dialog.getByLabel('Type the member ID').fill('8')
    assert.ok(await erase.isDisabled())
    await dialog.getByLabel('Type the member ID').fill('7')
    await picture(made, page, 'erase-dialog')
    assert.deepEqual(await violations(page), [])
    await erase.click()
    await page.getByText('Ada is erased').first().waitFor()
    await page.getByText('No members yet').waitFor()
    await page.goto(`/console/r/${realm}/members/7`)
    await page.getByText('Member not found').waitFor()
    await page.goto(`/console/r/${realm}/journal`)
    await page.getByText('a removed member').first().waitFor()
    assert.equal(await page.getByText('Won the quiz').count(), 0)
    await close()
  })

  it('is for owners', async () => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Undo gains' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Erase member' }).count(), 0)
    await close()
  })
})
