import type { Locator, Page } from 'playwright-core'

/** Steps on list pages: find a row, choose an action, read a secret that is shown once. */

export const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name })

/** The open modal dialog. Toasts have the role dialog too, but are not modal. */
export const dialogOf = (page: Page): Locator =>
  page.locator('[role=dialog]:not([aria-modal=false]):not([data-closed])')

export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page
    .getByRole('button', { name: `Actions for ${name}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Reads a secret that is shown once, and closes its dialog. */
export async function shownSecret(page: Page): Promise<string> {
  const dialog = dialogOf(page)
  await dialog.getByText('shown once').waitFor()
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}
