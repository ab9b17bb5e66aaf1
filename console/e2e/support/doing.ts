import type { Locator, Page } from 'playwright-core'

/** What a person does on a page of lists: find a row, choose what to do with it, take down what is shown once. */

export const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

/** What asks something. What only tells that something was done is a dialog too, but one that can be passed by. */
export const dialogOf = (page: Page): Locator =>
  page.locator('[role=dialog]:not([aria-modal=false]):not([data-closed])')

export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `What can be done with ${name}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** What is shown once; afterwards it is put away. */
export async function shownSecret(page: Page): Promise<string> {
  const dialog = dialogOf(page)
  await dialog.getByText('shown once').waitFor()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I have kept it' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}
