import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import type { Play } from '../support/stage.ts'

/** What others do with a link or code that the person has copied: it is not part of the tasks' effort. */

/** Opens a link in a browser that is not signed in. */
export async function asVisitor(
  play: Play,
  link: string,
  check: (page: Page) => Promise<unknown>,
): Promise<void> {
  const { page, close } = await play.visit()
  await page.goto(link)
  await check(page)
  await close()
}

/** Opens another site, with the code in its page. */
export async function onOwnSite(
  play: Play,
  code: string,
  check: (page: Page) => Promise<unknown>,
): Promise<void> {
  const html = `<!doctype html><html lang="en"><title>A guild</title>${code}</html>`
  const site = createServer((_request, answer) => answer.setHeader('content-type', 'text/html').end(html))
  site.listen(0, '127.0.0.1')
  try {
    await once(site, 'listening')
    await asVisitor(play, `http://127.0.0.1:${(site.address() as AddressInfo).port}/`, check)
  } finally {
    site.close()
  }
}

export const signInAs = (play: Play, link: string): Promise<void> =>
  asVisitor(play, link, async (page) => {
    await page.getByRole('button', { name: 'Sign in with this link' }).click()
    await page.getByRole('heading', { name: 'The Guild' }).waitFor()
  })
