import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'

const open = new WeakMap<Page, Set<Request>>()
const patienceMs = 30_000
const quietMs = 500

export const isStream = (request: Request): boolean => request.url().endsWith('/journal/stream')

/** Notes the requests of a page, but not its stream, which never ends: Playwright's networkidle waits for it. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  open.set(page, requests)
  page.on('request', (request) => isStream(request) || requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  // Requests of the page before are gone.
  page.on('framenavigated', (frame) => frame === page.mainFrame() && requests.clear())
}

/** Waits until a page has had no request in progress for half a second. */
export async function idle(page: Page): Promise<void> {
  const requests = open.get(page)
  assert.ok(requests, 'opened without watchRequests')
  await page.waitForLoadState('load')
  const end = Date.now() + patienceMs
  for (let sinceMs = Date.now(); Date.now() - sinceMs < quietMs; await page.waitForTimeout(50)) {
    if (requests.size > 0) sinceMs = Date.now()
    assert.ok(Date.now() < end, `still loading: ${[...requests].map((request) => request.url()).join(', ')}`)
  }
}
