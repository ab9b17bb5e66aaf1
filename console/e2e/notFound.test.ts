import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { violations } from './support/axe.ts'
import { picture } from './support/pictures.ts'
import { demo, play } from './support/stage.ts'

const made = play()

describe('an address without a page', () => {
  it('has a way home in the console, with the menu around it', async () => {
    const { page, close } = await made.signedIn('operator', demo)
    for (const path of ['/console/nothing', `/console/r/${demo}/nothing`]) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
      await page.getByRole('navigation').waitFor()
      assert.deepEqual(await violations(page), [], path)
      await page.getByRole('link', { name: 'Go to the start page' }).click()
      await page.getByRole('heading', { name: 'Your realms' }).waitFor()
    }
    await page.goto('/console/nothing')
    await page.getByText('Page not found').waitFor()
    await picture(made, page, 'not-found')
    await close()
  })

  it('has a way home where a person has no role', async () => {
    const [own, other] = [await made.makeRealm(), await made.makeRealm()]
    const { page, close } = await made.signedIn('viewer', own)
    await page.goto(`/console/r/${other}/members`)
    await page.getByRole('heading', { name: 'You have no role in this realm', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Go to the start page' }).click()
    await page.getByRole('heading', { name: 'Your realms' }).waitFor()
    await close()
  })

  it('is a page for people also outside of the console', async () => {
    const { page, close } = await made.visit()
    for (const [path, text] of [
      ['/boards/unknown', 'There is no public leaderboard at this address.'],
      ['/link', 'This link is not complete.'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await page.getByText(text).waitFor()
      assert.deepEqual(await violations(page), [], path)
      await page.getByRole('link', { name: 'Open the console' }).click()
      await page.getByRole('heading', { name: 'Exchequer', level: 1 }).waitFor()
    }
    await close()
  })
})
