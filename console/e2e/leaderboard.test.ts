import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guild, until } from './support/guild.ts'

const made = guild()
const today = new Date().toISOString().slice(0, 10)

const first = 1190194345295482000n
const rows = Array.from({ length: 60 }, (_, nth) => {
  const displayName = nth === 1 ? 'The Second' : ''
  return `${first + BigInt(nth)},name${nth},${displayName},${1000 - nth}\n`
})

describe('the leaderboard', () => {
  it('shows the top members, and more on request', async () => {
    await made.realm.import(`id,username,displayName,balance\n${rows.join('')}`, { name: 'all' })
    const page = await made.open('leaderboard')
    const podium = page.getByRole('list', { name: 'The first three' })
    await podium.getByRole('listitem').nth(0).getByText('name0', { exact: true }).waitFor()
    await podium.getByRole('listitem').nth(1).getByText('The Second', { exact: true }).waitFor()
    const table = page.getByRole('region', { name: 'Members by rank' })
    await table.getByRole('row').nth(1).getByText('name3', { exact: true }).waitFor()
    assert.equal(await table.getByRole('row').count(), 48)
    await page.getByRole('button', { name: 'Show more' }).click()
    await table.getByText('name59', { exact: true }).waitFor()
    assert.equal(await table.getByRole('row').count(), 58)
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0)
  })

  it('shows what was gained in a period, and keeps the period in the URL', async () => {
    await made.realm.member(first + 30n).adjust(7)
    const page = await made.open('leaderboard')
    await page.getByText('Week', { exact: true }).click()
    const row = page.getByRole('row', { name: /name30/ })
    await row.getByText('+7').waitFor()
    assert.match(page.url(), /period=week/)
    await page.getByText('Custom', { exact: true }).click()
    await page.getByText('Choose the first and the last day.').waitFor()
    await page.getByLabel('First day').fill(today)
    await page.getByLabel('Last day').fill(today)
    await row.getByText('+7').waitFor()
    await page.getByLabel('Last day').fill('2020-01-01')
    await page.getByText('The last day is before the first one.').waitFor()
  })

  it('links to a member', async () => {
    const page = await made.open('leaderboard')
    await page.getByRole('link', { name: 'name3', exact: true }).click()
    await page.waitForURL(new RegExp(`/members/${first + 3n}$`))
  })
})

/** How many days of the leaderboard a request covers. */
function daysAsked(address: string): number | undefined {
  const { pathname, searchParams } = new URL(address)
  const [from, to] = [searchParams.get('from'), searchParams.get('to')]
  if (!pathname.endsWith('/leaderboard') || !from || !to) return undefined
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}

describe('the overview', () => {
  it('shows who gained most in the selected time range', async () => {
    const page = await made.open('')
    for (const [choice, days] of [
      ['7 days', 7],
      ['90 days', 90],
    ] as const) {
      // The page requests 30 days when it opens, perhaps only now.
      const asked = page.waitForRequest((request) => daysAsked(request.url()) === days)
      await page.getByText(choice, { exact: true }).click()
      await asked
      await page.getByRole('heading', { name: `Gained most in ${choice}` }).waitFor()
    }
    await page.getByRole('link', { name: /name30/ }).waitFor()
  })

  it('has room for every axis label, also in locales without a short form for thousands', async () => {
    const page = await made.open('', { german: true })
    await page.locator('svg text', { hasText: '60.000' }).first().waitFor()
    const left = await page.evaluate<number>(
      "Math.min(...[...document.querySelectorAll('svg[role=img] text')].map((text) => text.getBBox().x))",
    )
    assert.ok(left >= 0, `a label begins ${left} pixels beside its chart`)
  })
})

describe('the public leaderboard', () => {
  // Responses are cached for at most five seconds.
  const isThere = async () => (await fetch(`${made.url}/boards/${made.realm.id}`)).status === 200

  it('is switched on and off by an owner, with a link and code to copy', async () => {
    const page = await made.open('leaderboard')
    assert.equal(await isThere(), false)
    await page.getByLabel('Make this leaderboard public').check()
    const share = () => page.getByRole('button', { name: 'Share', exact: true }).click()
    await share()
    await page.getByText(`<exchequer-leaderboard realm="${made.realm.id}"`).waitFor()
    await until(isThere)
    const [shown] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open the page' }).click(),
    ])
    await shown.getByText('name0', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Month', { exact: true }).click()
    await share()
    await page.getByText(`/boards/${made.realm.id}?period=month`).waitFor()
    await page.getByText(`realm="${made.realm.id}" period="month"`).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Make this leaderboard public').uncheck()
    await page.getByText('The leaderboard is no longer public').waitFor()
    await until(async () => !(await isThere()))
  })

  it('can be switched only by owners', async () => {
    const page = await made.open('leaderboard', { role: 'manager' })
    await page.getByText('The public page is off. An owner of the realm can turn it on.').waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
  })
})
