import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { environment, type ServerProcess, startServerProcess } from '../../tests/support/process.ts'
import { until } from './support/guild.ts'
import { isLive, openStreams, setVisible, watchFlashes } from './support/live.ts'
import { play } from './support/stage.ts'

const made = play()

/** A server of its own, whose streams can be counted, and a browser with a page of a new realm. */
async function begin(t: TestContext) {
  const env = environment(made.stage.urls, { LOG_LEVEL: 'info', METRICS_PORT: '0' })
  const server = await startServerProcess(env)
  t.after(() => server.stop())
  const realm = await made.makeRealm()
  await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
  const { page, close } = await made.visit({}, server.baseUrl)
  t.after(close)
  await page.goto(await made.link('manager', realm))
  await page.getByRole('button', { name: 'Sign in with this link' }).click()
  await page.getByText('Nothing has happened yet').waitFor()
  const address = `/console/r/${realm}/members/7`
  await page.goto(address)
  await isLive(page)
  // Through another server process, as a bot may be connected to any of them.
  const award = (reason: string) =>
    made.manage('PATCH', `/realms/${realm}/members/7/tokenBalance`, { tokens: 5, reason })
  return { env, server, page, address, award }
}

const soon = (page: Page, text: string) => page.getByText(text).first().waitFor({ timeout: 2_000 })
const streamsAre = (server: ServerProcess, count: number) =>
  until(async () => (await openStreams(server)) === count)

describe('the tabs of a browser', () => {
  it('share one stream, and another one takes over when the tab that has it is closed', async (t) => {
    const { server, page, address, award } = await begin(t)
    const second = await page.context().newPage()
    await second.goto(address)
    await isLive(second)
    const third = await page.context().newPage()
    await third.goto(address)
    await isLive(third)
    await award('for three')
    await Promise.all([page, second, third].map((tab) => soon(tab, 'for three')))
    assert.equal(await openStreams(server), 1)
    await page.close()
    await streamsAre(server, 1)
    await award('for two')
    await Promise.all([second, third].map((tab) => soon(tab, 'for two')))
    await second.close()
    await isLive(third)
    await award('for one')
    await soon(third, 'for one')
    assert.equal(await openStreams(server), 1)
  })

  it('hold no stream while none is visible, and are current when one is again', async (t) => {
    const { server, page, address, award } = await begin(t)
    const second = await page.context().newPage()
    await second.goto(address)
    await isLive(second)
    await setVisible(page, false)
    await streamsAre(server, 1)
    await award('for the second')
    await soon(second, 'for the second')
    await setVisible(second, false)
    await streamsAre(server, 0)
    await award('unseen')
    await page.waitForTimeout(1_500)
    assert.equal(await page.getByText('unseen').count(), 0)
    await setVisible(page, true)
    await soon(page, 'unseen')
    await isLive(page)
    await award('seen again')
    await soon(page, 'seen again')
    assert.equal(await openStreams(server), 1)
  })
})

describe('a server that is restarted', () => {
  it('is found again, and no entry is missed', async (t) => {
    const { env, server, page, award } = await begin(t)
    const noFlash = await watchFlashes(page)
    await server.stop()
    await page.getByText('Connecting …').waitFor()
    await award('in between')
    const next = await startServerProcess({ ...env, PORT: new URL(server.baseUrl).port })
    t.after(() => next.stop())
    await page.getByText('in between').first().waitFor({ timeout: 20_000 })
    await isLive(page)
    await award('afterwards')
    await soon(page, 'afterwards')
    await noFlash()
  })
})
