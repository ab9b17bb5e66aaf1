import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { demo, formOf, play } from './support/stage.ts'

const made = play()
const member = '1190194345295482952'
const recipient = '1190194345295482953'

async function change(page: Page, act: string, fields: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('button', { name: act, exact: true }).click()
  const dialog = formOf(page)
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await dialog.getByText('nothing has changed yet').waitFor()
  await dialog.getByRole('button', { name: act, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

const balanceOf = (page: Page) => page.getByRole('button', { name: /^Gold/ })

describe('a member', () => {
  it('is added, awarded, deducted, charged, frozen and noted, with the author of each change', async () => {
    const realm = await made.makeRealm()
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await page.getByText('No members yet').waitFor()
    for (const [id, name] of [
      [recipient, 'Grace'],
      [member, 'Ada'],
    ] as const) {
      await page.goto(`/console/r/${realm}/members`)
      await page.getByRole('button', { name: 'Add a member' }).click()
      // The first field has the focus.
      await page.getByLabel('Member id').and(page.locator(':focus')).waitFor()
      await page.getByLabel('Member id').fill(id)
      await page.getByLabel('Display name').fill(name)
      await formOf(page).getByRole('button', { name: 'Add a member' }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    await change(page, 'Award', { Amount: '1,000', Reason: 'Won the quiz' })
    await balanceOf(page).getByText('1,000').waitFor()
    await change(page, 'Deduct', { Amount: '300' })
    await balanceOf(page).getByText('700').waitFor()
    await page.getByRole('button', { name: 'Transfer' }).click()
    await page.getByLabel('Amount').fill('50')
    assert.ok(await page.getByLabel('Recipient').getAttribute('aria-describedby'))
    await page.getByLabel('Recipient').fill('gra')
    await page.getByRole('option', { name: /Grace/ }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('nothing has changed yet').waitFor()
    await formOf(page).getByRole('button', { name: 'Transfer' }).click()
    await balanceOf(page).getByText('650').waitFor()
    await change(page, 'Hold', { Amount: '20' })
    await balanceOf(page).getByText('20 held').waitFor()
    const statement = page.getByRole('region', { name: 'Statement' })
    await statement.getByText('Won the quiz').waitFor()
    await statement.getByText('Ann Archer').nth(3).waitFor()
    assert.equal(await statement.getByText('Ann Archer').count(), 4)
    await statement.getByRole('button', { name: 'Undo entry 2' }).click()
    const dialog = formOf(page)
    await dialog.getByText('930').waitFor()
    await dialog.getByLabel('Reason').fill('A mistake')
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await balanceOf(page).getByText('930').waitFor()
    await statement.getByText('A mistake').waitFor()
    await page.getByRole('button', { name: 'Charge' }).click()
    await dialog.getByText('nothing has changed yet').waitFor()
    await page.getByText('20 held', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Charge' }).click()
    await page.getByText('20 Gold charged').first().waitFor()
    const charged = statement.getByRole('row', { name: /Held points charged/ })
    await charged.getByText('unchanged').waitFor()
    assert.equal(await charged.getByText('−20').or(charged.getByText('-20')).count(), 0)
    await charged.getByRole('button', { name: 'Undo entry 6' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Freeze' }).click()
    await dialog.getByText('They can still receive points').waitFor()
    await dialog.getByLabel('Also hide from leaderboards').check()
    assert.equal(await page.getByText('Frozen', { exact: true }).count(), 0, 'asked first')
    await dialog.getByRole('button', { name: 'Freeze' }).click()
    await page.getByText('Frozen', { exact: true }).waitFor()
    await page.getByText('Hidden', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Link a wallet' }).click()
    await page.getByLabel('Address').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
    await page.getByRole('button', { name: 'Link a wallet' }).click()
    await page.getByRole('button', { name: 'Unlink' }).click()
    await page.getByRole('heading', { name: 'Unlink this wallet?' }).waitFor()
    await dialog.getByRole('button', { name: 'Unlink' }).click()
    await page.getByText('No wallets linked.').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Note').fill('Runs the Friday quiz.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#content').getByText('Runs the Friday quiz.').waitFor()
    await close()
  })

  it('with too few points sees so before anything changes', async () => {
    const { page, close } = await made.signedIn('manager', demo, { path: `/members/${member}` })
    await page.getByRole('button', { name: 'Deduct' }).click()
    await page.getByLabel('Amount').fill('12.50')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('A whole number from 1').waitFor()
    await page.getByLabel('Amount').fill('9,000,000')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page
      .getByRole('alert')
      .getByText(/9000000 were asked for/)
      .waitFor()
    await page.evaluate("localStorage.setItem('exchequer.language', 'de')")
    await page.goto(`/console/r/${demo}/members/${member}?act=take`)
    await page.getByLabel('Anzahl').fill('9.000.000')
    await page.getByRole('button', { name: 'Vorschau' }).click()
    await page.getByRole('alert').getByText('Dafür reichen die Punkte nicht.').waitFor()
    await close()
  })

  it('is found by a name, an ID and a wallet', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/members' })
    const search = page.getByRole('searchbox')
    const found = page.getByRole('region', { name: 'List of members' }).getByRole('link')
    for (const text of ['ada', member, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed']) {
      await search.fill(text)
      await page.waitForURL(/q=/)
      await page.getByText('1 found').waitFor()
      assert.deepEqual(await found.allInnerTexts(), ['Ada'])
      await search.fill('')
      await page.getByText('180 members').waitFor()
    }
    await search.pressSequentially('ada', { delay: 250 })
    await page.waitForURL(/q=ada$/)
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('180 members').waitFor()
    assert.equal(await search.inputValue(), '')
    for (const q of [member, `"${member}"`]) {
      await page.goto(`/console/r/${demo}/members?q=${q}`)
      await page.getByText('1 found').waitFor()
      assert.deepEqual(await found.allInnerTexts(), ['Ada'])
    }
    await search.fill('no such member')
    await page.getByText('No results for').waitFor()
    await close()
  })
})

describe('errors on the member pages', () => {
  it('a list page that fails shows an error, is requested again only on retry, and then loads', async () => {
    const { page, close } = await made.signedIn('viewer', demo, { path: '/members' })
    await page.getByText('180 members').waitFor()
    let asked = 0
    await page.route(/members\?.*cursor=/, (route) => {
      asked += 1
      return route.fulfill({ status: 400, json: { code: 'invalid_request', detail: 'A worn cursor.' } })
    })
    const list = page.getByRole('region', { name: 'List of members' })
    await list.hover()
    await page.mouse.wheel(0, 100_000)
    await page.getByRole('alert').getByText('A worn cursor.').waitFor()
    await page.waitForTimeout(500)
    assert.equal(asked, 1)
    await page.unroute(/members\?.*cursor=/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await list.hover()
    await page.mouse.wheel(0, 100_000)
    await list.locator('[aria-posinset="180"]').waitFor()
    await close()
  })

  it('shows an error where no form is open, and where a part fails to load', async () => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm)
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    const problem = { status: 422, json: { code: 'member_frozen', detail: 'Frozen.' } }
    await page.route('**/members/7', (route) =>
      route.request().method() === 'PUT' ? route.fulfill(problem) : route.continue(),
    )
    const lost = { status: 400, json: { code: 'invalid_request', detail: 'No rank today.' } }
    await page.route(/\/rank\b|leaderboard\/7/, (route) => route.fulfill(lost))
    await page.goto(`/console/r/${realm}/members/7`)
    await page.getByText('No rank today.').waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Hide' }).click()
    await page.getByText('can’t spend points until you unfreeze them').first().waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Selected. Copy it manually' }).waitFor()
    assert.equal(await page.evaluate('String(getSelection())'), '7')
    await close()
  })

  it('overwrites neither a member with the same ID nor another person’s note', async () => {
    const realm = await made.makeRealm()
    const put = (change: object) => made.manage('PUT', `/realms/${realm}/members/7`, change)
    await put({ displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await page.getByRole('button', { name: 'Add a member' }).click()
    await page.getByLabel('Member id').fill('7')
    await page.getByLabel('Display name').fill('Mallory')
    await formOf(page).getByRole('button', { name: 'Add a member' }).click()
    await page.getByRole('alert').getByText('This ID already exists').waitFor()
    await page.goto(`/console/r/${realm}/members/7`)
    await page.getByRole('heading', { name: 'Ada' }).waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    await put({ note: 'Of another' })
    await page.getByLabel('Username').fill('ada')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('#content').getByText('Of another').waitFor()
    await close()
  })
})

describe('an award whose response is lost', () => {
  it('is not made twice by reopening the form, and shows the error on the current page', async () => {
    const realm = await made.makeRealm()
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: 'Ada' })
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await page.getByRole('link', { name: 'Ada' }).click()
    const open = () => page.getByRole('button', { name: 'Award', exact: true }).click()
    const award = async (reason: string) => {
      await page.getByLabel('Amount').fill('40')
      await page.getByLabel('Reason').fill(reason)
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('nothing has changed yet').waitFor()
      await formOf(page).getByRole('button', { name: 'Award' }).click()
    }
    const path = '**/members/7/tokenBalance'
    await page.route(path, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await open()
    await award('In a storm')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close' }).click()
    await formOf(page).getByText('Check your connection').waitFor()
    await formOf(page).getByText('In a storm').waitFor()
    await page.keyboard.press('Escape')
    await formOf(page).waitFor({ state: 'hidden' })
    await open()
    await award('In a storm')
    await page.goBack()
    await page.getByText('Award points · Ada').first().waitFor()
    await page.unroute(path)
    await page.goForward()
    await award('Another reason')
    await page.getByRole('alert').getByText('whose response was lost').waitFor()
    await page.getByRole('button', { name: 'Close' }).first().click()
    await balanceOf(page).getByText('40', { exact: true }).waitFor()
    const statement = page.getByRole('region', { name: 'Statement' })
    assert.equal(await statement.getByText('Awarded').count(), 1)
    await close()
  })
})

describe('a name that contains script', () => {
  it('is shown as text everywhere', async () => {
    const realm = await made.makeRealm()
    const name = '<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>'
    await made.manage('PUT', `/realms/${realm}/members/7`, { displayName: name, username: name })
    const { page, close } = await made.signedIn('manager', realm, { path: '/members' })
    await page.getByText(name).first().waitFor()
    await page.goto(`/console/r/${realm}/members/7`)
    await page.getByRole('heading', { level: 1 }).getByText(name).waitFor()
    await change(page, 'Award', { Amount: '5', Reason: name })
    for (const path of ['', '/leaderboard', '/journal']) {
      await page.goto(`/console/r/${realm}${path}`)
      await page.getByText(name).first().waitFor()
    }
    assert.equal(await page.evaluate(() => (globalThis as { ran?: number }).ran), undefined)
    await close()
  })
})
