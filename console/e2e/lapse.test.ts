import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choose, dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()

describe('points that lapse', () => {
  it('get a rule after a preview; a page and each member show who loses what, and when', async () => {
    const realm = await made.makeRealm()
    const at = `/realms/${realm}`
    await made.manage('POST', `${at}/members`, { members: [{ id: '7', displayName: 'Ada' }] })
    await made.manage('PATCH', `${at}/members/7/tokenBalance`, { tokens: 30 })
    const { page, close } = await made.signedIn('owner', realm, { path: '/points' })
    const lapse = async () => ((await made.manage('GET', `${at}/points/gold`)) as { lapse: unknown }).lapse

    await choose(page, 'Gold', 'When points lapse')
    await dialogOf(page).getByLabel('Points lapse').selectOption('months')
    await dialogOf(page).getByLabel('Months').fill('0')
    await dialogOf(page).getByText('Enter a whole number from 1 to 120').waitFor()
    assert.ok(await dialogOf(page).getByRole('button', { name: 'Set rule' }).isDisabled())
    await dialogOf(page).getByLabel('Months').fill('6')
    await dialogOf(page).getByText('30 points of 1 member have no date yet').waitFor()
    await dialogOf(page).getByRole('link', { name: 'Ada' }).waitFor()
    await picture(made, page, 'lapse-rule')
    assert.equal(await lapse(), null, 'a preview changes nothing')
    await dialogOf(page).getByRole('button', { name: 'Set rule' }).click()
    await page.getByRole('link', { name: 'after 6 months, end of month' }).waitFor()
    await picture(made, page, 'lapse-points')

    await page.getByRole('link', { name: 'after 6 months, end of month' }).click()
    await page.getByRole('row').filter({ hasText: 'Ada' }).getByText('30', { exact: true }).waitFor()
    await picture(made, page, 'lapse-page')
    await page.getByLabel('Lapsing before').fill('2026-01-01')
    await page.getByText('No member loses points').waitFor()
    await page.goto(`/console/r/${realm}/members/7`)
    await page.getByRole('heading', { name: 'Lapsing points' }).waitFor()
    await picture(made, page, 'lapse-member')

    await page.goto(`/console/r/${realm}/points`)
    await choose(page, 'Gold', 'When points lapse')
    await dialogOf(page).getByLabel('Points lapse').selectOption('never')
    await dialogOf(page).getByRole('button', { name: 'Stop lapsing' }).click()
    await page.getByText('Points no longer lapse').waitFor()
    assert.equal(await lapse(), null)
    await close()
  })
})
