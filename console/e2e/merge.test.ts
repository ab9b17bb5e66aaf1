import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dialogOf } from './support/doing.ts'
import { until } from './support/guild.ts'
import { play } from './support/stage.ts'

const made = play()

async function realmOfTwo(): Promise<{ realm: string; at: string }> {
  const realm = await made.makeRealm()
  const at = `/realms/${realm}`
  await made.manage('POST', `${at}/members`, {
    members: [
      { id: '7', displayName: 'Ada' },
      { id: '8', displayName: 'Ada’s old account' },
    ],
  })
  await made.manage('PATCH', `${at}/members/7/tokenBalance`, { tokens: 20 })
  await made.manage('PATCH', `${at}/members/8/tokenBalance`, { tokens: 30 })
  return { realm, at }
}

const balanceOf = async (at: string, id: string) => {
  const member = (await made.manage('GET', `${at}/members/${id}`)) as { id: string; tokenBalance: number }
  return [member.id, member.tokenBalance]
}

describe('two members', () => {
  it('are merged after a preview, and are two again when that is undone', async () => {
    const { realm, at } = await realmOfTwo()
    const { page, close } = await made.signedIn('owner', realm, { path: '/members/7' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Merge another member' }).click()
    await dialogOf(page).getByRole('combobox').fill('old acc')
    await page.getByRole('option', { name: /old account/ }).click()
    await dialogOf(page).getByText('30 Gold move; the balance is 50 then').waitFor()
    assert.deepEqual(await balanceOf(at, '8'), ['8', 30], 'a preview changes nothing')
    await dialogOf(page).getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Ada’s old account is merged into Ada').waitFor()
    assert.deepEqual(await balanceOf(at, '8'), ['7', 50])
    await page.getByRole('button', { name: 'Undo the merge of 8' }).click()
    await dialogOf(page).getByText('30 Gold go back').waitFor()
    await dialogOf(page).getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('8 is a member of its own again').waitFor()
    assert.deepEqual(await balanceOf(at, '7'), ['7', 20])
    assert.deepEqual(await balanceOf(at, '8'), ['8', 30])
    await close()
  })

  it('can be merged only by an owner', async () => {
    const { realm } = await realmOfTwo()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    assert.equal(await page.getByRole('menuitem', { name: 'Merge another member' }).count(), 0)
    await close()
  })
})

describe('a pending award', () => {
  it('is granted or cancelled from the member’s page, each after a preview', async () => {
    const { realm, at } = await realmOfTwo()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/7' })
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
    for (const tokens of [5, 9]) await made.manage('POST', `${at}/members/7/awards`, { tokens })
    await page.getByText('14 pending').waitFor()
    const listed = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Grant' }) })
    await listed.filter({ hasText: '9' }).getByRole('button', { name: 'Grant' }).click()
    await dialogOf(page).getByText('29').first().waitFor()
    assert.deepEqual(await balanceOf(at, '7'), ['7', 20], 'a preview changes nothing')
    await dialogOf(page).getByRole('button', { name: 'Grant' }).click()
    await page.getByText('5 pending').waitFor()
    assert.deepEqual(await balanceOf(at, '7'), ['7', 29])
    await until(async () => (await listed.count()) === 1)
    await listed.getByRole('button', { name: 'Cancel' }).click()
    await dialogOf(page)
      .getByRole('button', { name: /Cancel/ })
      .last()
      .click()
    await listed.waitFor({ state: 'detached' })
    assert.deepEqual(await balanceOf(at, '7'), ['7', 29])
    await close()
  })
})
