import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { environment, startServerProcess } from '../../server/test/support/process.ts'
import { change } from './support/database.ts'
import { demo, formOf, play } from './support/stage.ts'

const made = play()

describe('signing in', () => {
  it('by a link works once; a second time, and with a wrong one, it says what to do', async () => {
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

  it('nobody sees a page of a realm without it, nor of a realm where they have no role', async () => {
    const other = await made.makeRealm()
    const stranger = await made.visit()
    await stranger.page.goto(`/console/r/${demo}/members`)
    await stranger.page.getByText(/for a link to sign in with/).waitFor()
    await stranger.close()
    const { page, close } = await made.signedIn('owner', demo)
    await page.goto(`/console/r/${other}`)
    await page.getByText('You have no role in this realm').waitFor()
    await close()
  })

  it('that has ended is said, and the page comes back after it', async () => {
    const { page, close } = await made.signedIn('owner', demo, { path: '/members' })
    await page.getByText('180 members').waitFor()
    await page.context().clearCookies()
    await page.reload()
    await page.getByText(/for a link to sign in with/).waitFor()
    assert.match(page.url(), /\/members$/)
    await close()
  })

  it('that runs out by time is said where one is, and what was typed goes nowhere', async () => {
    const { page, close } = await made.signedIn('manager', demo, { path: '/members/1190194345295482952' })
    await page.getByRole('button', { name: 'Award', exact: true }).click()
    await page.getByLabel('How many').fill('5')
    const { person } = await page.evaluate<{ person: { id: string } }>(
      "fetch('/console/session').then((answer) => answer.json())",
    )
    await change(made.stage.urls, 'update sessions set expires_at = now() where person = $1', [person.id])
    // The key that the page holds is over by then too, so it asks for another one.
    await page.clock.setFixedTime(Date.now() + 3_600_000)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('Your session has ended').waitFor()
    assert.match(page.url(), /\/members\/1190194345295482952/)
    await close()
  })

  it('ends everywhere with signing out: another tab is out too', async () => {
    const { page, close } = await made.signedIn('manager', demo)
    const second = await page.context().newPage()
    await second.goto(`/console/r/${demo}/members/1190194345295482952`)
    await second.getByRole('button', { name: 'Award', exact: true }).waitFor()
    await page.getByRole('button', { name: /Ann Archer/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText(/for a link to sign in with/).waitFor()
    // A revocation holds within one second.
    await second.waitForTimeout(1_200)
    await second.getByRole('button', { name: 'Award', exact: true }).click()
    await second.getByLabel('How many').fill('5')
    await second.getByRole('button', { name: 'Check' }).click()
    await second.getByText('Your session has ended').waitFor()
    await close()
  })
})

describe('a viewer', () => {
  it('is shown no way to change anything, and is refused where they find one', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/members/1190194345295482952' })
    await page.getByText('You may look, but not change anything here.').waitFor()
    for (const name of ['Award', 'Take', 'Transfer', 'Hold', 'More', 'Edit'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    for (const name of ['Keys', 'People', 'Import', 'Batch awards'])
      assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
    await page.goto(`/console/r/${demo}/members/1190194345295482952?act=award`)
    await page.getByLabel('How many').fill('5')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('alert').getByText('Your role does not allow this.').waitFor()
    await close()
  })
})

describe('a server that goes away', () => {
  it('is said, what was typed stays, and the change is made once when it is back', async (t) => {
    const realm = await made.makeRealm()
    await made.operate('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const env = environment(made.stage.urls, { LOG_LEVEL: 'info' })
    const first = await startServerProcess(env)
    t.after(() => first.stop())
    const port = new URL(first.baseUrl).port
    const { page, close } = await made.visit({}, first.baseUrl)
    await page.goto(await made.link('manager', realm))
    await page.getByRole('button', { name: 'Sign in with this link' }).click()
    await page.getByText('Nothing has happened yet').waitFor()
    await page.goto(`/console/r/${realm}/members/7?act=award`)
    await page.getByLabel('How many').fill('40')
    await page.getByLabel('Reason').fill('In a storm')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('nothing is changed yet').waitFor()
    await first.stop()
    await formOf(page).getByRole('button', { name: 'Award' }).click()
    await page
      .getByRole('alert')
      .getByText(/Check your connection/)
      .waitFor({ timeout: 30_000 })
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
