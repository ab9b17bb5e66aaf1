import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { ServerProcess } from '../../../tests/support/process.ts'

/** Waits until a page follows the journal, and what it shows is loaded. */
export async function isLive(page: Page): Promise<void> {
  await page.locator('[data-live=live]').waitFor()
  while ((await page.locator('.pulse').count()) > 0)
    await page.locator('.pulse').first().waitFor({ state: 'detached' })
}

/** Notes skeletons that appear from now on, and whether the page is loaded again. */
export async function watchFlashes(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(`
    globalThis.flashes = []
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element && (node.matches('.pulse') || node.querySelector('.pulse')))
            globalThis.flashes.push(node.outerHTML.slice(0, 200))
    }).observe(document.body, { childList: true, subtree: true })`)
  return async () =>
    assert.deepEqual(await page.evaluate('globalThis.flashes'), [], 'a skeleton, or the page was reloaded')
}

/** As if the reader switched to another tab or back: a browser without windows has all pages in front. */
export async function setVisible(page: Page, isVisible: boolean): Promise<void> {
  const state = isVisible ? 'visible' : 'hidden'
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
}

/** The server's count of open streams. It was started with METRICS_PORT=0. */
export async function openStreams({ said }: ServerProcess): Promise<number> {
  const url = said.map((line) => /"metrics":"([^"]+)"/.exec(line)?.[1]).find((one) => one !== undefined)
  assert.ok(url, 'the log does not name the port of the metrics')
  const text = await (await fetch(new URL('/metrics', url))).text()
  return Number(/^exchequer_streams (\d+)$/m.exec(text)?.[1])
}
