import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { guild, until } from './support/guild.ts'

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
  for (let nth = 0; nth < 60; nth += 1) await made.realm.member(ann).adjust(10, { reason: `gift ${nth}` })
  await made.realm.member(ann).transfer(bob, 25, { reason: 'a favour' })
  await made.realm.member(bob).hold(5)
}

describe('the journal', () => {
  it('shows the newest first, by name, and older ones on request', async () => {
    await begin()
    const page = await made.open('journal')
    await entries(page).nth(1).getByText('Hold').first().waitFor()
    await entries(page).nth(2).getByText('a favour').waitFor()
    await entries(page).nth(2).getByRole('link', { name: 'bob' }).waitFor()
    assert.equal(await entries(page).count(), 51)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('gift 0', { exact: true }).waitFor()
    assert.equal(await entries(page).count(), 63)
  })

  it('is filtered by type, member, author and time, all kept in the URL', async () => {
    await begin()
    const page = await made.open('journal')
    await page.getByLabel('Entry type').selectOption('transfer')
    await page.getByText('a favour').waitFor()
    await until(async () => (await entries(page).count()) === 2)
    await page.getByLabel('Member', { exact: true }).fill('bo')
    await page.getByRole('option', { name: /bob/ }).click()
    await page.waitForURL(new RegExp(`member=${bob}`))
    await until(async () => (await entries(page).count()) === 2)
    await page.getByLabel('Entry type').selectOption('')
    await until(async () => (await entries(page).count()) === 3)
    await page.reload()
    await until(async () => (await entries(page).count()) === 3)
    await until(async () => (await page.getByLabel('Member', { exact: true }).inputValue()) === 'bob')
    await page.getByLabel('Created by').selectOption({ label: 'the operator' })
    await page.getByText('No matching entries').waitFor()
    await page.getByLabel('Created by').selectOption({ label: 'The bot' })
    await until(async () => (await entries(page).count()) === 3)
    await page.getByLabel('End date').fill('2020-01-01')
    await page.getByText('No matching entries').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await until(async () => (await entries(page).count()) === 51)
  })

  it('includes the whole last day when it has 23 hours', async () => {
    const look = { path: '/journal?to=2026-03-29', timezoneId: 'Europe/Berlin' }
    const { page, close } = await made.play.signedIn('viewer', made.realm.id, look)
    const from = 'from=2026-03-29T22%3A00%3A00.000Z'
    await Promise.all([page.waitForRequest((request) => request.url().includes(from)), page.reload()])
    await close()
  })

  it('an entry is undone after a preview, by a manager', async () => {
    await begin()
    const { transactionId } = await made.realm.member(ann).adjust(40, { reason: 'too much' })
    const page = await made.open(`journal?entry=${transactionId}`, { role: 'manager' })
    const dialog = page.getByRole('dialog')
    await dialog.getByText('too much').waitFor()
    const before = (await made.realm.member(ann).get()).tokenBalance
    await dialog.getByRole('button', { name: 'Undo this entry' }).click()
    const now = new Intl.NumberFormat('en-GB').format(before - 40)
    await dialog.getByText(now, { exact: true }).waitFor()
    assert.equal((await made.realm.member(ann).get()).tokenBalance, before, 'shown, not done')
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText(`Entry ${transactionId} is undone`).waitFor()
    assert.equal((await made.realm.member(ann).get()).tokenBalance, before - 40)
    const { reversedBy } = await made.realm.entry(transactionId)
    assert.equal((await made.realm.entry(reversedBy ?? '')).person?.name, 'Ann Archer')
    await page.locator('table').getByText('Ann Archer').first().waitFor()
    await dialog.getByText('Undone by').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Undo this entry' }).count(), 0)
  })

  it('a viewer reads an entry and sees who can undo it', async () => {
    await begin()
    const page = await made.open('journal?entry=3', { role: 'viewer' })
    await page.getByText('Only managers and owners can undo an entry.').waitFor()
    await page.locator('table').getByText('The bot').first().waitFor()
    assert.equal(
      await page
        .locator('table')
        .getByText(/^Key \d/)
        .count(),
      0,
      'keys are named for viewers too',
    )
    assert.equal(await page.getByRole('button', { name: 'Undo this entry' }).count(), 0)
  })

  it('shows that an entry does not exist', async () => {
    const page = await made.open('journal?entry=999999')
    await page.getByText('Entry not found').waitFor()
  })
})

describe('verify', () => {
  async function verify(page: Page, kept = ''): Promise<void> {
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    if (kept) await page.getByLabel(/Compare with/).fill(kept)
    await page.getByRole('button', { name: 'Start' }).click()
  }

  it('computes every hash in the browser and shows the last one', async () => {
    await begin()
    const { seq, hash } = await made.realm.head()
    const page = await made.open('journal', { role: 'viewer' })
    await verify(page)
    await page.getByText('Journal verified').waitFor()
    await page.getByText(`${seq}:${hash}`).waitFor()
  })

  it('compares with a saved hash', async () => {
    await begin()
    const { data: kept } = await made.realm.journal({ cursor: '19', limit: 1 }).page()
    const page = await made.open('journal')
    await verify(page, `20:${kept[0]?.hash}`)
    await page.getByText('Entry 20 matches the hash that you saved.').waitFor()
    const other = await made.open('journal')
    await verify(other, `20:${'0'.repeat(64)}`)
    await other.getByText('The chain breaks at entry 20').waitFor()
  })

  const lies = {
    'an amount that was changed': (body: string) => body.replace(/("seq":"17".*?"tokens":)10/, '$111'),
    'an entry that is missing': (body: string) => body.replace(/\{"seq":"17".*?\},(?=\{"seq":"18")/, ''),
    'words that were changed': (body: string) => body.replace('gift 16', 'bribe'),
  }
  for (const [what, lie] of Object.entries(lies)) {
    it(`shows where the chain breaks: ${what}`, async () => {
      await begin()
      const page = await made.open('journal')
      await page.route(/\/journal\?.*cursor=0/, async (route) => {
        const answer = await route.fetch()
        const text = await answer.text()
        assert.notEqual(lie(text), text)
        await route.fulfill({ response: answer, body: lie(text) })
      })
      await verify(page)
      await page.getByText('The chain breaks at entry 17').waitFor()
    })
  }
})
