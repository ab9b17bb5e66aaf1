import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { settled, violations } from './support/axe.ts'
import { picture } from './support/pictures.ts'
import { demo, play } from './support/stage.ts'

const made = play()
const dayMs = 86_400_000

type Standing = {
  readonly username: string | null
  readonly displayName: string | null
  readonly tokens: number
}

/** The first member by the API, in the days from one up to another. */
async function firstIn(from: string, to: string): Promise<Standing> {
  const path = `/realms/${demo}/leaderboard?from=${from}&to=${to}&limit=1`
  const [first] = ((await made.manage('GET', path)) as { data: Standing[] }).data
  assert.ok(first)
  return first
}

const fromOf = (page: Page) => new URL(page.url()).searchParams.get('from') ?? ''
const stepsBack = (page: Page, what: string) => page.getByRole('button', { name: `Previous ${what}` })

async function isOnPodium(page: Page, { username, displayName, tokens }: Standing): Promise<void> {
  const winner = page.getByRole('list', { name: 'The first three' }).getByRole('listitem').first()
  await winner.getByText(displayName ?? username ?? '', { exact: true }).waitFor()
  await winner.getByText(`+${tokens.toLocaleString('en-GB')}`, { exact: true }).waitFor()
}

describe('past leaderboards', () => {
  it('go back week by week, as far as the journal, and are in the URL', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/leaderboard' })
    await page.getByText('Week', { exact: true }).click()
    await page.getByText('This week', { exact: true }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Next week' }).isDisabled())
    await stepsBack(page, 'week').click()
    await page.waitForURL(/from=/)
    const from = fromOf(page)
    assert.equal(new Date(from).getUTCDay(), 1, `${from} is a Monday`)
    const ageMs = Date.now() - Date.parse(from)
    assert.ok(ageMs > 6 * dayMs && ageMs < 15 * dayMs, from)
    const to = new Date(Date.parse(from) + 7 * dayMs).toISOString().slice(0, 10)
    await isOnPodium(page, await firstIn(from, to))
    await page.reload()
    await isOnPodium(page, await firstIn(from, to))
    await settled(page)
    assert.deepEqual(await violations(page), [])
    await picture(made, page, 'board-past-week')
    let weeks = 1
    for (; await stepsBack(page, 'week').isEnabled(); weeks += 1) {
      const before = page.url()
      await stepsBack(page, 'week').click()
      await page.waitForURL((url) => url.href !== before)
      assert.ok(weeks < 20, 'further than the journal')
    }
    assert.ok(weeks > 10, `only ${weeks} weeks`)
    await page.goto(`/console/r/${demo}/leaderboard?period=week&from=${from}`)
    await page.getByRole('button', { name: 'Next week' }).click()
    await page.getByText('This week', { exact: true }).waitFor()
    assert.equal(fromOf(page), '')
    await close()
  })

  it('go back month by month', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/leaderboard?period=month' })
    await page.getByText('This month', { exact: true }).waitFor()
    await stepsBack(page, 'month').click()
    await page.waitForURL(/from=\d{4}-\d\d-01$/)
    const from = fromOf(page)
    const next = new Date(Date.parse(from) + 31 * dayMs).toISOString().slice(0, 8)
    await isOnPodium(page, await firstIn(from, `${next}01`))
    const name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
    await page.getByText(name.format(new Date(from)), { exact: true }).waitFor()
    await page.goto(`/console/r/${demo}/leaderboard?period=month&from=2026-13-45`)
    await page.getByText('This month', { exact: true }).waitFor()
    await close()
  })

  it('have Share at the top, with the public link', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('owner', realm, { path: '/leaderboard' })
    await page.getByLabel('Make this leaderboard public').check()
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByRole('dialog').getByText(`/boards/${realm}`, { exact: false }).first().waitFor()
    await picture(made, page, 'board-share')
    await page.getByRole('button', { name: 'Done' }).click()
    await close()
  })
})
