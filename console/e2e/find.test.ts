import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { formOf, play } from './support/stage.ts'

const made = play()

const people = [
  { id: '118639000000000001', username: 'pixel_lemur', displayName: 'Élodie' },
  { id: '42', username: 'lemur', displayName: 'Zoë Ångström' },
  { id: '7001', username: 'cedar_lemur', displayName: 'King of Cedar' },
]
const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

async function realmOfPeople(): Promise<string> {
  const realm = await made.makeRealm()
  const at = `/realms/${realm}`
  await made.manage('POST', `${at}/members`, { members: people })
  await made.manage('POST', `${at}/members/42/wallets`, { address: wallet })
  for (const [member, reason] of [
    ['42', 'Won the Halloween quest'],
    ['7001', 'Brought cake'],
  ])
    await made.manage('PATCH', `${at}/members/${member}/tokenBalance`, { tokens: 50, reason })
  return realm
}

const rows = (page: Page) => page.getByRole('region', { name: 'List of members' }).getByRole('link')

async function openFinder(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(typed)
}

const choose = async (page: Page, text: string | RegExp) => {
  await page.locator('[data-highlighted]', { hasText: text }).waitFor()
  await page.keyboard.press('Enter')
}

const focused = (page: Page, heading: string) => page.locator('h1:focus', { hasText: heading }).waitFor()

describe('a member is found', () => {
  it('by any part of a name, an id or a wallet, in the list, a picker and the finder alike', async () => {
    const realm = await realmOfPeople()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    const field = page.getByRole('searchbox')
    for (const [text, names] of [
      ['emur', ['Élodie', 'Zoë Ångström', 'King of Cedar']],
      ['ANGSTROM', ['Zoë Ångström']],
      ['8639', ['Élodie']],
      ['0x5aae', ['Zoë Ångström']],
      ['0x5aAe…BeAed', ['Zoë Ångström']],
      ['<@7001>', ['King of Cedar']],
    ] as const) {
      await field.fill(text)
      const expected = [...names].toSorted()
      for (let tries = 0; tries < 100; tries++) {
        const shown = (await rows(page).allTextContents()).toSorted()
        if (shown.join() === expected.join()) break
        if (tries === 99) assert.deepEqual(shown, expected, text)
        await sleep(100)
      }
    }
    await openFinder(page, 'odie')
    await choose(page, 'Élodie')
    await page.getByRole('heading', { name: 'Élodie', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Transfer' }).click()
    await formOf(page).getByRole('combobox').fill('of ced')
    await page.getByRole('option', { name: /King of Cedar/ }).waitFor()
    await close()
  })

  it('an entry by words of its reason, in the journal and from the finder', async () => {
    const realm = await realmOfPeople()
    const { page, close } = await made.signedIn('viewer', realm, { path: '/journal' })
    await page.getByText('Brought cake').waitFor()
    await page.getByRole('searchbox', { name: 'Reason' }).fill('quest hallow')
    await page.waitForURL(/q=quest/)
    await page.getByText('Brought cake').waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Won the Halloween quest' }).waitFor()
    await openFinder(page, 'cake')
    await choose(page, 'Search reasons for “cake”')
    await page.getByRole('cell', { name: 'Brought cake' }).waitFor()
    await close()
  })
})

describe('the finder acts', () => {
  it('awards, freezes and undoes, with only the keyboard', async () => {
    const realm = await realmOfPeople()
    const { page, close } = await made.signedIn('manager', realm)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await openFinder(page, 'award angst')
    await choose(page, 'Award points to Zoë Ångström')
    await formOf(page).getByLabel('Amount').waitFor()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('25')
    await page.keyboard.press('Enter')
    await formOf(page).getByRole('button', { name: 'Award', exact: true }).waitFor()
    await page.locator('button:focus', { hasText: /^Award$/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('75', { exact: true }).first().waitFor()
    await formOf(page).waitFor({ state: 'detached' })
    await openFinder(page, 'undo 3')
    await choose(page, 'Undo entry 3')
    await page.getByRole('heading', { name: 'Undo entry 3' }).waitFor()
    await page.keyboard.press('Escape')
    await openFinder(page, 'freeze cedar')
    await choose(page, 'Freeze King of Cedar')
    await page.getByRole('heading', { name: 'Freeze King of Cedar?' }).waitFor()
    await close()
  })

  it('invites, changes the theme and signs out; a viewer finds only what they may do', async () => {
    const realm = await realmOfPeople()
    const owner = await made.signedIn('owner', realm)
    await owner.page.getByRole('heading', { level: 1 }).waitFor()
    await openFinder(owner.page, 'invite')
    await choose(owner.page, 'Invite a person')
    await formOf(owner.page).waitFor()
    await owner.page.keyboard.press('Escape')
    await openFinder(owner.page, 'dark')
    await choose(owner.page, 'Theme: Dark')
    await owner.page.locator('html[data-theme=dark]').waitFor()
    await openFinder(owner.page, 'sign out')
    await choose(owner.page, 'Sign out')
    await owner.page.getByText('You are signed out').waitFor()
    await owner.close()
    const viewer = await made.signedIn('viewer', realm)
    await viewer.page.getByRole('heading', { level: 1 }).waitFor()
    await openFinder(viewer.page, 'award')
    await viewer.page.getByText('Search reasons for “award”').waitFor()
    assert.equal(await viewer.page.getByRole('option', { name: /Award points/ }).count(), 0)
    await viewer.close()
  })
})

describe('what is typed', () => {
  it('stays in a dialog after a click outside, and Escape asks first', async () => {
    const realm = await realmOfPeople()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members/42?act=award' })
    const field = formOf(page).getByLabel('Reason')
    await field.fill('A long text')
    await page.mouse.click(5, 5)
    assert.equal(await field.inputValue(), 'A long text')
    await page.keyboard.press('Escape')
    await page.getByText('Discard what you typed?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    assert.equal(await field.inputValue(), 'A long text')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await formOf(page).waitFor({ state: 'detached' })
    await close()
  })

  it('stays in the list of awards while other pages are visited', async () => {
    const realm = await realmOfPeople()
    const { page, close } = await made.signedIn('manager', realm, { path: '/awards' })
    await page.getByRole('textbox').first().fill('lemur, 50')
    await page.getByRole('link', { name: 'Members' }).click()
    await rows(page).first().waitFor()
    await page.getByRole('link', { name: 'Batch awards' }).click()
    assert.equal(await page.getByRole('textbox').first().inputValue(), 'lemur, 50')
    await close()
  })
})

describe('the focus', () => {
  it('is on the heading of a page after navigation, by the menu, a link and the finder', async () => {
    const realm = await realmOfPeople()
    const { page, close } = await made.signedIn('manager', realm)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('navigation').getByRole('link', { name: 'Members' }).click()
    await focused(page, 'Members')
    await rows(page).filter({ hasText: 'Élodie' }).click()
    await page.getByRole('heading', { name: 'Élodie', level: 1 }).waitFor()
    await focused(page, 'Élodie')
    await openFinder(page, 'angstr')
    await choose(page, 'Zoë')
    await focused(page, 'Zoë Ångström')
    await close()
  })
})
