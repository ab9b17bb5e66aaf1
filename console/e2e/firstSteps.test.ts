import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from './support/axe.ts'
import { dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

/** A realm whose currency was not named. */
async function emptyRealm(): Promise<string> {
  const id = `e2e-${randomBytes(4).toString('hex')}`
  await made.operate('POST', '/realms', { id, name: 'A new guild' })
  return id
}

const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })
const isDone = (page: Page, title: string) => step(page, title).getByText('Done:').waitFor()

describe('the overview of an empty realm', () => {
  it('has the first steps as links, each ticked when it is done', async () => {
    const realm = await emptyRealm()
    // An owner would be invited with a key of the realm.
    const { page, close } = await made.signedIn('operator', realm)
    const home = () => page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('0 of 4 done').waitFor()
    assert.deepEqual(await violations(page), [])
    await picture(made, page, 'first-steps')

    await page.getByRole('link', { name: 'Add a member' }).click()
    await dialogOf(page).getByLabel('Member ID').fill('7')
    await dialogOf(page).getByRole('button', { name: 'Add a member' }).click()
    await page.getByRole('heading', { level: 1, name: '7' }).waitFor()
    await home()
    await isDone(page, 'Add members')

    await page.getByRole('link', { name: 'Issue a key' }).click()
    await page.getByRole('button', { name: 'Issue a key' }).first().waitFor()
    await made.operate('POST', `/realms/${realm}/keys`, { name: 'the bot' })
    await page.goto(`/console/r/${realm}`)
    await isDone(page, 'Connect a bot')

    await page.getByRole('link', { name: 'Edit currencies' }).click()
    await page.getByRole('heading', { name: 'Currencies', level: 1 }).waitFor()
    const [point] = ((await made.operate('GET', `/realms/${realm}`)) as { points: { id: string }[] }).points
    await made.manage('PATCH', `/realms/${realm}/points/${point?.id}`, { name: 'Shells' })
    await page.goto(`/console/r/${realm}`)
    await isDone(page, 'Name your points')

    await page.getByRole('link', { name: 'Open the leaderboard' }).click()
    await page.getByLabel('Make this leaderboard public').check()
    await page.getByText('The leaderboard is now public').waitFor()
    await home()
    await isDone(page, 'Share the leaderboard')
    await page.getByText('4 of 4 done').waitFor()
    assert.deepEqual(await violations(page), [])
    await picture(made, page, 'first-steps-done')
    await close()
  })

  it('leads a manager to the members, and a viewer nowhere', async () => {
    const realm = await emptyRealm()
    for (const [role, links] of [
      ['manager', 1],
      ['viewer', 0],
    ] as const) {
      const { page, close } = await made.signedIn(role, realm)
      await page.getByText('Nothing has happened yet').waitFor()
      assert.equal(await page.getByRole('link', { name: 'Add the first members' }).count(), links)
      assert.equal(await page.getByText('First steps').count(), 0)
      await close()
    }
  })
})
