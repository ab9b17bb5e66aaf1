import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { settled, violations } from './support/axe.ts'
import { dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

async function realmOfOne(note: string) {
  const realm = await made.makeRealm()
  const at = `/realms/${realm}/members/7`
  await made.manage('PUT', at, { displayName: 'Ada', note })
  await made.manage('PATCH', `${at}/tokenBalance`, { tokens: 50 })
  await made.manage('POST', `${at}/holds`, { tokens: 20, expiresIn: 3600 })
  type State = { readonly frozen: boolean; readonly hidden: boolean; readonly note: string | null }
  const state = async (): Promise<readonly unknown[]> => {
    const { frozen, hidden, note: kept } = (await made.manage('GET', `${at}/profile`)) as State
    return [frozen, hidden, kept]
  }
  return { realm, state }
}

async function askToFreeze(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Freeze' }).click()
  await dialogOf(page).getByText('They can still receive points').waitFor()
}

const beside = (page: Page) => page.getByRole('heading', { name: 'Ada', level: 1 }).locator('..')

describe('freezing', () => {
  it('says what it stops, keeps the reason in the note, and is ended by a dialog of the same kind', async () => {
    const { realm, state } = await realmOfOne('Runs the Friday quiz.')
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    await askToFreeze(page)
    const dialog = dialogOf(page)
    await dialog.getByText('can’t spend, transfer or hold points').waitFor()
    await dialog.getByLabel('Also hide from leaderboards').check()
    await dialog.getByLabel('Reason').fill('Spams links')
    await picture(made, page, 'freeze-dialog')
    assert.deepEqual(await violations(page), [])
    assert.deepEqual(await state(), [false, false, 'Runs the Friday quiz.'], 'asked first')
    await dialog.getByRole('button', { name: 'Freeze' }).click()
    await beside(page).getByText('Frozen', { exact: true }).waitFor()
    await beside(page).getByText('Hidden', { exact: true }).waitFor()
    await page.getByText('Ada is frozen').first().waitFor()
    const note = page
      .locator('#content')
      .getByText(/^Runs the Friday quiz\.\s\d{4}-\d\d-\d\d: frozen\. Spams links$/)
    await note.waitFor()
    await page.getByText('This member is frozen: you can award points').waitFor()
    for (const name of ['Deduct', 'Transfer', 'Hold', 'Charge']) {
      const button = page.getByRole('button', { name, exact: true, disabled: true })
      assert.match((await button.getAttribute('title')) ?? '', /^This member is frozen/)
      await button.focus()
      await page.keyboard.press('Enter')
      assert.equal(await dialog.count(), 0, name)
    }
    await settled(page)
    await picture(made, page, 'frozen-member')
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Award', exact: true }).click()
    await dialog.getByText('They get the points, but can’t spend them').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.goto(`/console/r/${realm}/members/7?act=take`)
    await dialog.getByText('you can award points, but not deduct').waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Preview' }).isDisabled())
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await page.keyboard.press('Control+k')
    await page.keyboard.type('freeze ada')
    await page.getByRole('option', { name: /Unfreeze Ada/ }).click()
    await page.getByRole('heading', { name: 'Unfreeze Ada?' }).waitFor()
    await dialog.getByLabel('Show on leaderboards again').check()
    await picture(made, page, 'unfreeze-dialog')
    await dialog.getByRole('button', { name: 'Unfreeze' }).click()
    await page.getByText('Ada is no longer frozen').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    await beside(page).getByText('Frozen', { exact: true }).waitFor({ state: 'detached' })
    const [frozen, hidden] = await state()
    assert.deepEqual([frozen, hidden], [false, false])
    await page.getByRole('button', { name: 'Deduct' }).click()
    await dialog.getByLabel('Amount').waitFor()
    await close()
  })

  it('changes nothing when the note has no room for the reason, and adds to what others wrote', async () => {
    const long = 'x'.repeat(1990)
    const { realm, state } = await realmOfOne(long)
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    await askToFreeze(page)
    await dialogOf(page).getByLabel('Reason').fill('Spams links')
    await dialogOf(page).getByRole('button', { name: 'Freeze' }).click()
    await dialogOf(page).getByText('The note of Ada has no room for this.').waitFor()
    assert.deepEqual(await state(), [false, false, long])
    await made.manage('PUT', `/realms/${realm}/members/7`, { note: 'Of another' })
    await dialogOf(page).getByRole('button', { name: 'Freeze' }).click()
    await beside(page).getByText('Frozen', { exact: true }).waitFor()
    assert.match(String((await state())[2]), /^Of another\n\d{4}-\d\d-\d\d: frozen\. Spams links$/)
    await close()
  })
})
