import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demo, play } from './support/stage.ts'

const made = play()

describe('the finder', () => {
  it('opens members and pages from any page with Ctrl-K and only the keyboard', async () => {
    const { page, close } = await made.signedIn('viewer', demo)
    await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('grace')
    await page.locator('[data-highlighted]', { hasText: 'Grace' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('leader')
    await page.locator('[data-highlighted]', { hasText: 'Leaderboard' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Leaderboard' }).waitFor()
    await close()
  })

  it('keeps every key typed while it loads, and opens nothing before the results arrive', async () => {
    const { page, close } = await made.visit()
    await page.goto(await made.link('viewer', demo))
    await page.route(/\/finder-[^/]*\.js/, async (route) => {
      await sleep(700)
      await route.continue()
    })
    await page.getByRole('button', { name: 'Sign in with this link' }).click()
    await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('adx', { delay: 20 })
    await page.keyboard.press('Backspace')
    await page.keyboard.type('a')
    const field = page.getByRole('dialog').getByRole('combobox')
    await field.waitFor()
    assert.equal(await field.inputValue(), 'ada')
    await page.getByRole('option', { name: /^Ada/ }).waitFor()
    await page.route(/members\?.*search=/, async (route) => {
      await sleep(500)
      await route.continue()
    })
    await field.fill('grac')
    await page.keyboard.press('Enter')
    await page.locator('[data-highlighted]', { hasText: 'Grace' }).waitFor()
    assert.match(page.url(), new RegExp(`/r/${demo}/?$`), 'no page was opened')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
    await close()
  })
})
