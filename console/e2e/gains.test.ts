import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from './support/axe.ts'
import { dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

/** Ada gained 100, 30 and 10 from Ben, and spent 60: 80 are left. */
async function realmOfGains() {
  const realm = await made.makeRealm()
  const ada = `/realms/${realm}/members/7`
  const ben = `/realms/${realm}/members/8`
  await made.manage('PUT', ada, { displayName: 'Ada' })
  await made.manage('PUT', ben, { displayName: 'Ben' })
  await made.manage('PATCH', `${ada}/tokenBalance`, { tokens: 100, reason: 'Won the quiz' })
  await made.manage('PATCH', `${ada}/tokenBalance`, { tokens: 30 })
  await made.manage('PATCH', `${ada}/tokenBalance`, { tokens: -60, reason: 'A badge' })
  await made.manage('PATCH', `${ben}/tokenBalance`, { tokens: 25 })
  await made.manage('PATCH', `${ben}/transfer`, { tokens: 10, recipientId: '7' })
  const balances = async () => {
    const all = [ada, ben].map((path) => made.manage('GET', path) as Promise<{ tokenBalance: number }>)
    return (await Promise.all(all)).map(({ tokenBalance }) => tokenBalance)
  }
  type History = { readonly data: readonly { readonly type: string; readonly reason: string | null }[] }
  const reversals = async () => {
    const { data } = (await made.manage('GET', `${ada}/history`)) as History
    return data.flatMap(({ type, reason }) => (type === 'reversal' ? [reason] : []))
  }
  return { realm, balances, reversals }
}

async function open(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Undo gains' }).click()
  const dialog = dialogOf(page)
  await dialog.getByText('nothing has changed yet').waitFor()
  return dialog
}

describe('undoing what a member gained', () => {
  it('shows what goes back and what can’t, and undoes what is checked', async () => {
    const { realm, balances, reversals } = await realmOfGains()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    const dialog = await open(page)
    await dialog.getByText('1 gain can’t be undone').waitFor()
    const quiz = dialog.getByRole('listitem').filter({ hasText: 'Won the quiz' })
    await quiz.getByText('Not enough points left').waitFor()
    assert.ok(await quiz.getByRole('checkbox').isDisabled())
    await dialog.getByText('back to Ben').waitFor()
    await dialog.getByText(/^[-−]40$/).waitFor()
    await picture(made, page, 'gains-dialog')
    assert.deepEqual(await violations(page), [])
    const thirty = dialog.getByRole('checkbox', { name: /30 Gold/ })
    await thirty.uncheck()
    await dialog.getByText(/^[-−]10$/).waitFor()
    await dialog.getByRole('button', { name: 'Undo 1 entry' }).waitFor()
    await thirty.check()
    await dialog.getByLabel('Gained since').fill('2999-01-01')
    await dialog.getByText('No gains to undo since this day.').waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Undo 0 entries' }).isDisabled())
    await dialog.getByLabel('Gained since').fill('2020-01-01')
    await dialog.getByLabel('Reason').fill('Used a script')
    await dialog.getByRole('button', { name: 'Undo 2 entries' }).click()
    await page.getByText('2 entries are undone').first().waitFor()
    await dialog.waitFor({ state: 'detached' })
    assert.deepEqual(await balances(), [40, 25])
    assert.deepEqual(await reversals(), ['Used a script', 'Used a script'])
    await close()
  })

  it('undoes none twice when responses are lost, and shows those that are refused', async () => {
    const { realm, balances, reversals } = await realmOfGains()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    const dialog = await open(page)
    const lost = new Set<string>()
    await page.route('**/entries/*/reverse', async (route) => {
      await route.fetch()
      lost.add(route.request().url())
      await route.abort()
    })
    await dialog.getByRole('button', { name: 'Undo 2 entries' }).click()
    await dialog.getByText('Check your connection').waitFor()
    await page.unroute('**/entries/*/reverse')
    await dialog.getByRole('button', { name: 'Undo 0 entries' }).waitFor()
    assert.deepEqual([lost.size, await balances(), await reversals()], [2, [40, 25], [null, null]])
    await page.reload()
    await made.manage('PATCH', `/realms/${realm}/members/7/tokenBalance`, { tokens: 3 })
    await open(page)
    const refusal = { status: 422, json: { code: 'insufficient_points', detail: 'Too few.' } }
    await page.route('**/entries/*/reverse', (route) => route.fulfill(refusal))
    await dialog.getByRole('button', { name: 'Undo 1 entry' }).click()
    await dialog.getByText('1 entry could not be undone:').waitFor()
    await dialog.getByText('Not enough points. Nothing was changed.').waitFor()
    await dialog.getByRole('checkbox', { name: /3 Gold/ }).waitFor()
    await close()
  })
})
