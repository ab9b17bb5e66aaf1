import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { idle } from './requests.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Violations found by axe-core, as text. It runs outside the page's CSP, which blocks our scripts. */
export async function violations(page: Page): Promise<string[]> {
  if (await page.evaluate("typeof globalThis.axe === 'undefined'")) await page.evaluate(axe)
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }
    const { axe: engine } = globalThis as unknown as { axe: { run(options: object): Promise<Found> } }
    // It then describes violations only, not each element that passed.
    const found = await engine.run({ resultTypes: ['violations'] })
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
  })
}

/** Waits until the page is loaded and still. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await idle(page)
  await page.waitForFunction("document.querySelectorAll('.pulse').length === 0")
  // A dialog fades in, and has too little contrast halfway.
  await page.waitForTimeout(250)
}

export type Theme = 'light' | 'dark'

/**
 * Checks a page in each of the themes, light last: the page follows the system's theme while it is open, so
 * that it is loaded once for both.
 */
export async function inThemes(page: Page, check: (theme: Theme) => Promise<void>): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // Colours change gradually.
    await page.waitForTimeout(250)
    await check(colorScheme)
  }
}
