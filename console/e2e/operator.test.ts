import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { environment, runCommand } from '../../server/test/support/process.ts'
import { dialogOf, rowOf } from './support/doing.ts'
import { play } from './support/stage.ts'

const made = play()

describe('realms', () => {
  it('are made by an operator, found by a part of the name, and opened', async () => {
    const { page, close } = await made.signedIn('operator', await made.makeRealm())
    await page.goto('/console/')
    await page.getByRole('button', { name: 'Make a realm' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: 'Make a realm' }).click()
    await dialog.getByText('Give it a name.').waitFor()
    await dialog.getByLabel('Name').fill('Harbour of Lights')
    await dialog.getByLabel('Its points').fill('Shells')
    await dialog.getByRole('button', { name: 'Make a realm' }).click()
    await page.getByRole('heading', { name: 'Harbour of Lights', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Kinds of points' }).click()
    await rowOf(page, 'Shells').getByText('Default').waitFor()
    await page.getByRole('link', { name: 'Realms' }).click()
    await page.getByLabel('Find a realm').fill('harbour')
    const found = page.getByRole('listitem').filter({ hasText: 'Harbour of Lights' })
    await found.getByRole('link').click()
    await page.getByRole('heading', { name: 'Harbour of Lights', exact: true }).waitFor()
    await page.goto('/console/?all=true&q=no+such+realm')
    await page.getByText('No realm found for “no such realm”').waitFor()
    await close()
  })
})

describe('health', () => {
  it('tells an operator how the installation is, and what to do', async () => {
    const { page, close } = await made.signedIn('operator', await made.makeRealm())
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('PostgreSQL answers.').waitFor()
    await page.getByText('It serves requests.').waitFor()
    await page
      .getByText('They show every change.')
      .or(page.getByText(/s behind, in/))
      .first()
      .waitFor()
    const { code, out } = await runCommand(['verify', '--hurry'], environment(made.stage.urls))
    assert.equal(code, 0, out)
    // What is known of a verification may be 15 seconds old.
    await page.getByText('every entry, balance and hash is right').waitFor({ timeout: 40_000 })
    await page.getByText('All is well').waitFor()
    await close()
  })

  it('is no business of an owner, who is told so', async () => {
    const { page, close } = await made.signedIn('owner', await made.makeRealm())
    for (const path of ['health', 'operators', 'audit']) {
      await page.goto(`/console/${path}`)
      await page.getByText('This page is for the operators of the installation').waitFor()
    }
    assert.equal(await page.getByRole('link', { name: 'Health' }).count(), 0)
    await close()
  })
})
