import type { Page } from 'playwright-core'
import type { Play } from './stage.ts'

/** Takes screenshots in both themes, wide and on a phone, when screenshots are enabled. */
export async function picture({ stage: { screenshots } }: Play, page: Page, name: string): Promise<void> {
  if (!screenshots) return
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      // Colours change gradually.
      await page.waitForTimeout(250)
      const path = `${screenshots}/${name}-${colorScheme}${width < 500 ? '-phone' : ''}.png`
      await page.screenshot({ path })
    }
  }
  await page.setViewportSize({ width: 1280, height: 720 })
}
