import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { guild, looksRight, until } from './support/guild.ts'
import { isLive, watchFlashes } from './support/live.ts'
import { formOf } from './support/stage.ts'

const made = guild()
const ann = '1190194345295482001'
const bob = '1190194345295482002'
const entries = (page: Page) => page.getByRole('region', { name: 'Journal entries' }).getByRole('row')

async function begin(): Promise<void> {
  if ((await made.realm.head()).seq !== '0') return
  await made.realm.members.put([
    { id: ann, username: 'ann' },
    { id: bob, username: 'bob' },
  ])
  for (let nth = 0; nth < 120; nth += 1) await made.realm.member(ann).adjust(10, { reason: `gift ${nth}` })
  await made.realm.member(bob).adjust(5)
}

const award = (tokens: number, reason = 'news', member = ann) =>
  made.realm.member(member).adjust(tokens, { reason })
const balance = async () => (await made.realm.member(ann).get()).tokenBalance
const figure = (points: number) => new Intl.NumberFormat('en-GB').format(points)

/** Waits for a text that is due within two seconds. */
const soon = (page: Page, text: string) =>
  page.getByText(text, { exact: true }).first().waitFor({ timeout: 2_000 })

const all = async () => (await balance()) + (await made.realm.member(bob).get()).tokenBalance

describe('an award made elsewhere', () => {
  const pages = {
    overview: { path: '', expected: async () => figure((await all()) + 7) },
    'overview of 24 hours': { path: '?span=24h', expected: async () => figure((await all()) + 7) },
    member: { path: `members/${ann}`, expected: async () => figure((await balance()) + 7) },
    leaderboard: { path: 'leaderboard', expected: async () => figure((await balance()) + 7) },
    journal: { path: 'journal', expected: async () => 'a reason for the journal' },
  }
  for (const [name, { path, expected }] of Object.entries(pages)) {
    it(`is on the page within two seconds, without a reload: ${name}`, async () => {
      await begin()
      const page = await made.open(path)
      await isLive(page)
      const text = await expected()
      assert.equal(await page.getByText(text, { exact: true }).count(), 0)
      const noFlash = await watchFlashes(page)
      await award(7, `a reason for the ${name}`)
      await soon(page, text)
      await noFlash()
      await looksRight(page, `live-${name.replaceAll(' ', '-')}`, made.screenshots)
    })
  }

  it('reloads the page of a member only if it is the member’s', async () => {
    await begin()
    const page = await made.open(`members/${bob}`)
    await isLive(page)
    await page.waitForTimeout(1_500)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await award(1)
    await page.waitForTimeout(1_500)
    assert.deepEqual(asked, [])
    await award(1, 'for bob', bob)
    await soon(page, 'for bob')
  })
})

describe('many entries', () => {
  it('are loaded once a second, and the newest is shown in the end', async () => {
    await begin()
    const page = await made.open('')
    await isLive(page)
    await page.waitForTimeout(1_500)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
    const endMs = Date.now() + 3_000
    let count = 0
    const busy = async () => {
      for (; Date.now() < endMs; count += 1) await award(1)
    }
    await Promise.all(Array.from({ length: 10 }, busy))
    await soon(page, figure(await all()))
    assert.ok(count > 100, `${count} entries`)
    for (const what of ['statistics', 'leaderboard']) {
      const times = asked.filter((one) => one === what).length
      assert.ok(times >= 2 && times <= 6, `${what} was loaded ${times} times`)
    }
  })

  it('leave a dialog as it is, with what was typed', async () => {
    await begin()
    const page = await made.open(`members/${ann}?act=award`)
    await isLive(page)
    await formOf(page).getByLabel('Amount').fill('41')
    const reason = formOf(page).getByLabel('Reason')
    await reason.pressSequentially('half a sen')
    for (let nth = 0; nth < 15; nth += 1) await award(1)
    const expected = figure(await balance())
    await page.getByRole('button', { name: expected, includeHidden: true }).waitFor({ timeout: 2_000 })
    assert.equal(await formOf(page).getByLabel('Amount').inputValue(), '41')
    await page.keyboard.type('tence')
    assert.equal(await reason.inputValue(), 'half a sentence')
  })

  it('do not move the rows of a journal that was scrolled; a button leads to them', async () => {
    await begin()
    const page = await made.open('journal')
    await isLive(page)
    await page.waitForTimeout(1_500)
    await page.getByRole('button', { name: 'Show more' }).click()
    await until(async () => (await entries(page).count()) === 101)
    const row = entries(page).nth(80)
    await row.scrollIntoViewIfNeeded()
    const [text, before] = [await row.innerText(), await row.boundingBox()]
    for (const reason of ['one more', 'two more', 'three more']) await award(3, reason)
    const button = page.getByRole('button', { name: '3 new entries' })
    await button.waitFor({ timeout: 3_000 })
    assert.deepEqual([await row.innerText(), await row.boundingBox()], [text, before])
    assert.equal(await entries(page).count(), 101)
    await looksRight(page, 'live-journal-below', made.screenshots)
    await button.click()
    await soon(page, 'three more')
    await entries(page).nth(1).getByText('three more').waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
    await button.waitFor({ state: 'detached' })
  })

  it('do not move the rows of a statement that was scrolled', async () => {
    await begin()
    const page = await made.open(`members/${ann}`)
    await isLive(page)
    const statement = page.getByRole('region', { name: 'Statement' }).getByRole('row')
    await statement.nth(22).scrollIntoViewIfNeeded()
    const [text, before] = [await statement.nth(22).innerText(), await statement.nth(22).boundingBox()]
    await award(3, 'above')
    await page.getByRole('button', { name: '1 new entry' }).click({ trial: true, timeout: 2_000 })
    assert.deepEqual(
      [await statement.nth(22).innerText(), await statement.nth(22).boundingBox()],
      [text, before],
    )
    await page.getByRole('button', { name: '1 new entry' }).click()
    await statement.nth(1).getByText('above').waitFor()
  })
})

describe('a filtered journal', () => {
  it('shows a new entry only if it passes the filter', async () => {
    await begin()
    const page = await made.open(`journal?member=${bob}`)
    await isLive(page)
    await page.waitForTimeout(1_500)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await award(2, 'not bob’s')
    await page.waitForTimeout(1_500)
    assert.deepEqual(asked, [])
    await award(2, 'bob’s', bob)
    await soon(page, 'bob’s')
  })
})
