import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { settled } from './support/axe.ts'
import { guild, looksRight } from './support/guild.ts'

const made = guild()

type Browser = { getComputedStyle(element: unknown): { readonly backgroundColor: string } }

const colour = (disc: Locator): Promise<string> =>
  disc.evaluate((one) => (globalThis as unknown as Browser).getComputedStyle(one).backgroundColor)

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first()

/** What a phone shows below the cell of the row that has room. */
const cardOf = (page: Page, text: string) => rowOf(page, text).locator('dl')

async function furnish(): Promise<void> {
  const names = ['Ada', 'Ben', 'Cy', 'Dora']
  const members = names.map((displayName, nth) => ({ id: String(7 + nth), displayName }))
  await made.realm.members.put(members)
  for (const [nth, { id }] of members.entries())
    await made.realm.member(id).adjust(100 - nth, { reason: 'Won the quiz' })
  await made.realm.member('7').hold(20, { expiresIn: 3600 })
}

describe('on a phone', () => {
  it('rows are cards that keep the date, who, why and the balance', async () => {
    await furnish()
    const page = await made.open('members/7', { phone: true })
    const entry = cardOf(page, 'Won the quiz')
    await entry.locator('time').waitFor()
    await entry.getByText('By', { exact: true }).waitFor()
    await entry.getByText('The bot').waitFor()
    await entry.getByText('Balance', { exact: true }).waitFor()
    await settled(page)
    await looksRight(page, 'cards-statement', made.screenshots)

    await page.goto(made.addressOf('leaderboard'))
    const fourth = cardOf(page, 'Ada')
    await fourth.getByText('Last change').waitFor()
    await fourth.locator('time').waitFor()
    await settled(page)
    await looksRight(page, 'cards-leaderboard', made.screenshots)

    await page.goto(made.addressOf('reserved'))
    const hold = cardOf(page, 'Ada')
    await hold.getByText('Ends', { exact: true }).waitFor()
    await hold.getByText('Entry', { exact: true }).waitFor()
    await settled(page)
    await looksRight(page, 'cards-holds', made.screenshots)

    await page.goto(made.addressOf('journal'))
    const change = cardOf(page, 'Won the quiz')
    await change.getByText('By', { exact: true }).waitFor()
    await change.getByText('The bot').waitFor()
    await settled(page)
    await looksRight(page, 'cards-journal', made.screenshots)

    await page.goto(made.addressOf('members'))
    await page.getByText('Joined').locator('visible=true').first().waitFor()
    await settled(page)
    await looksRight(page, 'cards-members', made.screenshots)
    await page.emulateMedia({ colorScheme: 'dark' })
    await looksRight(page, 'cards-members-dark', made.screenshots)
  })

  it('a wide window has each figure once, in its column', async () => {
    const page = await made.open('members/7')
    const entry = rowOf(page, 'Won the quiz')
    await entry.locator('time').waitFor()
    assert.equal(await entry.locator('time').count(), 1)
    assert.equal(await entry.locator('dl').count(), 0)
  })
})

describe('avatars', () => {
  it('have a colour of the member, the same on every page, and are hidden from screen readers', async () => {
    const page = await made.open('members')
    const discs = page.locator('li span.rounded-full[aria-hidden=true]')
    await discs.nth(3).waitFor()
    const colours = await Promise.all([0, 1, 2, 3].map((nth) => colour(discs.nth(nth))))
    assert.ok(new Set(colours).size > 1, String(colours))
    const names = await page
      .getByRole('region', { name: 'List of members' })
      .getByRole('link')
      .allInnerTexts()
    await page.goto(made.addressOf('journal'))
    const row = rowOf(page, 'Won the quiz')
    await row.getByRole('link', { name: 'Dora' }).waitFor()
    const disc = row.locator('span.rounded-full[aria-hidden=true]')
    assert.equal(await colour(disc), colours[names.indexOf('Dora')])
    await settled(page)
    await looksRight(page, 'avatars-journal', made.screenshots)
  })
})
