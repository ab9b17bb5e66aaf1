import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { environment, startServerProcess } from '../../tests/support/process.ts'
import { change } from './support/database.ts'
import { demo, formOf, play } from './support/stage.ts'

const made = play()

async function preview(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Award', exact: true }).click({ timeout: 5_000 })
  await page.getByLabel('Amount').fill('5', { timeout: 5_000 })
  await page.getByRole('button', { name: 'Preview' }).click({ timeout: 5_000 })
}

describe('signing in', () => {
  it('by a link works once; a used or wrong link shows what to do', async () => {
    const link = await made.link('viewer', demo)
    for (const [path, works] of [
      [link, true],
      [link, false],
      ['/console/#link=exl_0123456789', false],
    ] as const) {
      const { page, close } = await made.visit()
      await page.goto(path)
      await page.getByRole('button', { name: 'Sign in with this link' }).click()
      if (works) await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
      else
        await page
          .getByRole('alert')
          .getByText(/Ask for a new one/)
          .waitFor()
      assert.doesNotMatch(page.url(), /exl_/)
      await close()
    }
  })

  it('is required for every page of a realm, and so is a role in that realm', async () => {
    const other = await made.makeRealm()
    const stranger = await made.visit()
    await stranger.page.goto(`/console/r/${demo}/members`)
    await stranger.page.getByText(/for a sign-in link/).waitFor()
    assert.equal(await stranger.page.getByText('session has ended').count(), 0, 'there was none to end')
    await stranger.close()
    const { page, close } = await made.signedIn('owner', demo)
    await page.goto(`/console/r/${other}`)
    await page.getByText('You have no role in this realm').waitFor()
    await close()
  })

  it('is requested again when the cookie is gone, and keeps the page', async () => {
    const { page, close } = await made.signedIn('owner', demo, { path: '/members' })
    await page.getByText('180 members').waitFor()
    await page.context().clearCookies()
    await page.reload()
    await page.getByText(/for a sign-in link/).waitFor()
    assert.match(page.url(), /\/members$/)
    await close()
  })

  it('that expires shows so on the current page, and sends nothing that was typed', async () => {
    const { page, close } = await made.signedIn('manager', demo, { path: '/members/1190194345295482952' })
    await page.getByRole('button', { name: 'Award', exact: true }).click()
    await page.getByLabel('Amount').fill('5')
    const { person } = await page.evaluate<{ person: { id: string } }>(
      "fetch('/console/session').then((answer) => answer.json())",
    )
    await change(made.stage.urls, 'update sessions set expires_at = now() where person = $1', [person.id])
    // The page's session token has expired by then too, so it requests another one.
    await page.clock.setFixedTime(Date.now() + 3_600_000)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('Your session has ended').waitFor()
    assert.match(page.url(), /\/members\/1190194345295482952/)
    await close()
  })

  it('ends everywhere on sign-out: another tab is signed out too', async () => {
    // In a realm of its own: an entry of another test would make the second tab ask, and end, by itself.
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm)
    const second = await page.context().newPage()
    await second.goto(`/console/r/${realm}/members/7`)
    await second.getByRole('button', { name: 'Award', exact: true }).waitFor()
    await page.getByRole('button', { name: /Ann Archer/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText(/for a sign-in link/).waitFor()
    // A revocation takes effect within one second.
    await second.waitForTimeout(1_200)
    await preview(second).catch(() => 'it has noticed by itself')
    await second.getByText('Your session has ended').waitFor()
    await close()
  })
})

describe('a tab', () => {
  /** Another person's link, as a path. */
  async function linkOf(name: string, realm: string): Promise<string> {
    const body = { name, role: 'manager' }
    const { link } = (await made.manage('POST', `/realms/${realm}/invitations`, body)) as { link: string }
    const { pathname, hash } = new URL(link)
    return pathname + hash
  }

  it('that shows one person never acts as another who signed in in another tab', async () => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7?act=award' })
    await page.getByLabel('Amount').fill('5')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('nothing has changed yet').waitFor()
    const second = await page.context().newPage()
    await second.goto(await linkOf('Ben Baker', realm))
    await second.getByRole('button', { name: 'Sign in with this link' }).click()
    await second.getByRole('button', { name: /Ben Baker/ }).waitFor()
    // The first tab's session token has expired by then.
    await page.clock.setFixedTime(Date.now() + 3_600_000)
    await formOf(page).getByRole('button', { name: 'Award' }).click()
    await page.getByText('Ben Baker').waitFor()
    await second.goto(`/console/r/${realm}/members/7`)
    await second.getByText('No activity yet').waitFor()
    await close()
  })

  it('accepts a pasted link, and returns to the requested page', async () => {
    const { page, close } = await made.visit()
    await page.goto(`/console/r/${demo}/journal`)
    await page.getByText(/for a sign-in link/).waitFor()
    await page.goto(await made.link('viewer', demo))
    const path = '**/console/sign-in/link'
    const detail = 'Only pages of this server can send this request.'
    await page.route(path, (route) => route.fulfill({ status: 403, json: { code: 'forbidden', detail } }))
    const signIn = page.getByRole('button', { name: 'Sign in with this link' })
    await signIn.click()
    await page.getByRole('alert').getByText(detail).waitFor()
    await page.unroute(path)
    await signIn.click()
    await page.getByRole('heading', { name: 'Journal' }).waitFor()
    await page.goto('/console/?all=true')
    await page.getByRole('heading', { name: 'Your realms' }).waitFor()
    const next = await linkOf('Ben Baker', demo)
    await page.evaluate(`location.hash = ${JSON.stringify(new URL(next, made.stage.url).hash)}`)
    await page.route(path, async (route) => route.fulfill({ response: await route.fetch(), body: '{}' }))
    await signIn.click()
    await page.getByRole('button', { name: /Ben Baker/ }).waitFor()
    await close()
  })

  it('shows when signing out failed and when it succeeded', async () => {
    const { page, close } = await made.signedIn('viewer', demo)
    const signOut = async () => {
      await page.getByRole('button', { name: /Ann Archer/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
    await page.route('**/console/session', (route) => route.abort())
    await signOut()
    await page.getByText('You are still signed in').first().waitFor()
    await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
    await page.unroute('**/console/session')
    await signOut()
    await page.getByText('You are signed out on all your devices.').waitFor()
    await close()
  })
})

describe('a viewer', () => {
  it('sees no way to change anything, and is rejected when trying by URL', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/members/1190194345295482952' })
    await page.getByText('View only: you can’t make changes here').waitFor()
    for (const name of ['Award', 'Deduct', 'Transfer', 'Hold', 'More', 'Edit'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    for (const name of ['Keys', 'People', 'Import', 'Batch awards'])
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
    await page.goto(`/console/r/${demo}/members/1190194345295482952?act=award`)
    await page.getByText('View only: you can’t make changes here').waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    const path = `/api/v4/realms/${demo}/members/1190194345295482952/tokenBalance`
    const answers = await page.evaluate(`(async () => {
      const headers = { 'content-type': 'application/json' }
      const asked = { method: 'POST', headers, body: '{"realm":"${demo}"}' }
      const { key } = await (await fetch('/console/session/keys', asked)).json()
      const change = { method: 'PATCH', headers: { ...headers, authorization: key }, body: '{"tokens":5}' }
      const { status } = await fetch('${path}', change)
      const read = await fetch('${path.replace('/tokenBalance', '')}', { headers: { authorization: key } })
      return { change: status, read: read.status }
    })()`)
    assert.deepEqual(answers, { change: 403, read: 200 })
    await close()
  })
})

describe('an unreachable server', () => {
  it('is shown as long as it lasts, and failed requests reload when it is back', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/members' })
    await page.getByText('180 members').waitFor()
    const away = /\/(api|readyz)/
    await page.route(away, (route) => route.abort())
    await page.getByRole('link', { name: 'Leaderboard' }).click()
    const banner = page.getByText('Retrying automatically')
    await banner.waitFor()
    await page.waitForEvent('requestfailed', (request) => request.url().includes('/readyz'))
    await page.waitForTimeout(500)
    assert.ok(await banner.isVisible())
    await page.unroute(away)
    await page.locator('tbody tr').first().waitFor()
    await banner.waitFor({ state: 'detached' })
    await close()
  })

  it('is shown, keeps what was typed, and the change is made once when it is back', async (t) => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const env = environment(made.stage.urls, { LOG_LEVEL: 'info' })
    const first = await startServerProcess(env)
    t.after(() => first.stop())
    const port = new URL(first.baseUrl).port
    const { page, close } = await made.visit({}, first.baseUrl)
    await page.goto(await made.link('manager', realm))
    await page.getByRole('button', { name: 'Sign in with this link' }).click()
    await page.getByText('Nothing has happened yet').waitFor()
    await page.goto(`/console/r/${realm}/members/7?act=award`)
    await page.getByLabel('Amount').fill('40')
    await page.getByLabel('Reason').fill('In a storm')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('nothing has changed yet').waitFor()
    // The first request arrives, and its response is lost with the server.
    await page.route('**/members/7/tokenBalance', async (route) => {
      await route.fetch().catch(() => undefined)
      await first.stop()
      await route.abort()
    })
    await formOf(page).getByRole('button', { name: 'Award' }).click()
    await page
      .getByRole('alert')
      .getByText(/Check your connection/)
      .waitFor({ timeout: 30_000 })
    await page.unroute('**/members/7/tokenBalance')
    const second = await startServerProcess({ ...env, PORT: port })
    t.after(() => second.stop())
    await formOf(page).getByRole('button', { name: 'Award' }).click()
    await formOf(page).waitFor({ state: 'hidden' })
    const statement = page.getByRole('region', { name: 'Statement' })
    await statement.getByText('In a storm').waitFor()
    assert.equal(await statement.getByText('In a storm').count(), 1)
    await close()
  })
})
