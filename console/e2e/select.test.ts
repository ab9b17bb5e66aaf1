import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { settled, violations } from './support/axe.ts'
import { dialogOf } from './support/doing.ts'
import { picture } from './support/pictures.ts'
import { play } from './support/stage.ts'

const made = play()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-e2e-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const ada = '1190194345295482952'
const ben = '1190194345295482953'
const cleo = '1190194345295482954'
const crowd = 120

async function realmOfMany() {
  const realm = await made.makeRealm()
  const at = `/realms/${realm}/members`
  const others = Array.from({ length: crowd - 3 }, (_, nth) => ({
    id: String(1001 + nth),
    displayName: `Robin ${nth + 1}`,
  }))
  const members = [
    { id: ada, username: 'ada_l', displayName: '=Ada' },
    { id: ben, displayName: 'Ben' },
    { id: cleo, displayName: 'Cleo', note: 'Old friend.' },
    ...others,
  ]
  await made.manage('POST', at, { members })
  type State = { readonly frozen: boolean; readonly hidden: boolean; readonly note: string | null }
  const state = async (id: string) => {
    const { frozen, hidden, note } = (await made.manage('GET', `${at}/${id}/profile`)) as State
    return { frozen, hidden, note }
  }
  return { realm, at, state }
}

const boxOf = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const barOf = (page: Page) => page.getByRole('group', { name: 'Selected members' })

async function select(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) await boxOf(page, name).check()
  await barOf(page).getByText(`${names.length} selected`).waitFor()
}

async function chooseMore(page: Page, item: string): Promise<void> {
  await barOf(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The bar is gone, and the focus is where a selection begins. */
async function cleared(page: Page): Promise<void> {
  await barOf(page).getByRole('button').first().waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
}

describe('selecting members', () => {
  it('works by keyboard, keeps what scrolling and searching hide, and ends with Escape', async () => {
    const { realm } = await realmOfMany()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await boxOf(page, 'Ben').focus()
    await page.keyboard.press('Space')
    await barOf(page).getByText('1 selected').waitFor()
    await page.getByRole('searchbox').fill('cleo')
    await page.getByText('1 found').waitFor()
    await boxOf(page, 'Cleo').check()
    await barOf(page).getByText('2 selected').waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByText(`${crowd} members`).waitFor()
    assert.ok(await boxOf(page, 'Ben').isChecked())
    assert.ok(await boxOf(page, 'Cleo').isChecked())
    await settled(page)
    await picture(made, page, 'selection')
    assert.deepEqual(await violations(page), [])
    await page.getByRole('checkbox', { name: 'Select all 100 loaded members' }).check()
    await barOf(page).getByText('100 selected').waitFor()
    const list = page.getByRole('region', { name: 'List of members' })
    await list.evaluate((box: { scrollTop: number; scrollHeight: number }) => {
      box.scrollTop = box.scrollHeight
    })
    await page.getByRole('checkbox', { name: `Select all ${crowd} loaded members` }).waitFor()
    await barOf(page).getByText('100 selected').waitFor()
    await page.getByRole('link', { name: 'Leaderboard' }).click()
    await page.getByRole('heading', { name: 'Leaderboard', level: 1 }).waitFor()
    await page.goBack()
    await barOf(page).getByText('100 selected').waitFor()
    await barOf(page).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await barOf(page).getByText('100 selected').waitFor()
    await page.keyboard.press('Escape')
    await cleared(page)
    await page.locator('#select-all:focus').waitFor()
    await close()
  })

  it('is only for those who can change something', async () => {
    const { realm } = await realmOfMany()
    const { page, close } = await made.signedIn('viewer', realm, { path: '/members' })
    await page.getByRole('link', { name: 'Ben' }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await close()
  })
})

describe('selected members', () => {
  it('are frozen and hidden at once, each with the reason, but none that was removed meanwhile', async () => {
    const { realm, at, state } = await realmOfMany()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await select(page, 'Ben', 'Cleo', 'Robin 1')
    await barOf(page).getByRole('button', { name: 'Freeze' }).click()
    await page.getByRole('heading', { name: 'Freeze 3 members?' }).waitFor()
    await dialogOf(page).getByLabel('Reason').fill('A raid')
    await picture(made, page, 'freeze-many')
    assert.deepEqual(await violations(page), [])
    await made.manage('DELETE', `${at}/1001`)
    assert.equal((await state(ben)).frozen, false, 'asked first')
    await dialogOf(page).getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('2 members are frozen').first().waitFor()
    await page.getByText('1 was skipped: removed or merged.').first().waitFor()
    await cleared(page)
    const { frozen, hidden, note } = await state(cleo)
    assert.deepEqual([frozen, hidden], [true, false])
    assert.match(String(note), /^Old friend\.\n\d{4}-\d\d-\d\d: frozen\. A raid$/)
    await page.getByRole('link', { name: 'Robin 1', exact: true }).waitFor({ state: 'detached' })
    const listed = (await made.manage('GET', `${at}?id=1001`)) as { data: readonly unknown[] }
    assert.deepEqual(listed.data, [], 'is not created again')

    await select(page, 'Ben', 'Cleo')
    await chooseMore(page, 'Hide from leaderboards')
    await page.getByRole('heading', { name: 'Hide 2 members from leaderboards?' }).waitFor()
    await dialogOf(page).getByRole('button', { name: 'Hide' }).click()
    await page.getByText('2 members are hidden from leaderboards').first().waitFor()
    await cleared(page)
    assert.equal((await state(ben)).hidden, true)
    await select(page, 'Ben', 'Cleo')
    await chooseMore(page, 'Unfreeze')
    await dialogOf(page).getByLabel('Show on leaderboards again').check()
    await dialogOf(page).getByRole('button', { name: 'Unfreeze' }).click()
    await page.getByText('2 members are no longer frozen').first().waitFor()
    assert.deepEqual(await state(ben), {
      frozen: false,
      hidden: false,
      note: (await state(ben)).note,
    })
    await close()
  })

  it('get points by the batch awards, and are saved in a file that a spreadsheet can open', async () => {
    const { realm, at } = await realmOfMany()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await select(page, '=Ada', 'Ben')
    await barOf(page).getByRole('button', { name: 'More' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    const file = join(folder, 'selected.csv')
    await download.saveAs(file)
    assert.match(download.suggestedFilename(), /^e2e-.*-selected\.csv$/)
    const [header, first, second] = (await readFile(file, 'utf8')).split('\r\n')
    assert.match(header ?? '', /^id,username,displayName,balance:gold,held:gold,frozen,hidden,joinedAt$/)
    assert.match(first ?? '', new RegExp(`^"=""${ada}""",ada_l,'=Ada,0,0,false,false,`))
    assert.match(second ?? '', new RegExp(`^"=""${ben}""",,Ben,0,0,false,false,`))
    await cleared(page)

    await select(page, '=Ada', 'Ben')
    await barOf(page).getByRole('button', { name: 'Award' }).click()
    await page.getByRole('heading', { name: 'Batch awards' }).waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'List' }).inputValue(), `${ada}\n${ben}`)
    await page.getByLabel(/Points for lines/).fill('ten')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('“ten” is not a valid amount').waitFor()
    await page.getByLabel(/Points for lines/).fill('25')
    await picture(made, page, 'award-many')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('row', { name: /Ben.*25/ }).waitFor()
    await page.getByRole('button', { name: 'Apply 2 changes' }).click()
    await page.getByText('All changes applied').waitFor()
    for (const id of [ada, ben]) {
      const { tokenBalance } = (await made.manage('GET', `${at}/${id}`)) as { tokenBalance: number }
      assert.equal(tokenBalance, 25)
    }
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText(`${crowd} members`).waitFor()
    await cleared(page)
    await close()
  })
})
