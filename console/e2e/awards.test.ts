import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { guild } from './support/guild.ts'

const made = guild()
const ann = '1190194345295482001'
const bob = '1190194345295482002'
const balance = async (id: string) => (await made.realm.member(id).get()).tokenBalance

async function begin(): Promise<void> {
  const members = [
    { id: ann, username: 'ann' },
    { id: bob, username: 'bob', displayName: 'Bob the Builder' },
    { id: '5', username: 'twin' },
    { id: '6', username: 'Twin' },
    ...Array.from({ length: 21 }, (_, nth) => ({ id: String(100 + nth), username: `crowd ${nth}` })),
    ...Array.from({ length: 21 }, (_, nth) => ({ id: String(200 + nth), displayName: 'Smith' })),
  ]
  await made.realm.members.put(members)
}

async function check(page: Page, list: string): Promise<void> {
  await page.getByRole('textbox', { name: 'List' }).fill(list)
  await page.getByRole('button', { name: 'Preview' }).click()
}

describe('batch awards', () => {
  it('previews a list by ID and name, then applies all of it', async () => {
    await begin()
    const before = [await balance(ann), await balance(bob)]
    const page = await made.open('awards', { role: 'manager' })
    await page.getByLabel(/Reason for lines/).fill('took part')
    await check(page, `${ann}, 25, won the quiz\n\nBob the Builder\t7\n@ann 3`)
    await page.getByText('Nothing has changed yet').waitFor()
    assert.deepEqual([await balance(ann), await balance(bob)], before)
    await page.getByRole('row', { name: /2[58].*won the quiz/ }).waitFor()
    await page.getByRole('button', { name: 'Apply 3 changes' }).click()
    await page.getByText('All changes applied').waitFor()
    assert.deepEqual(
      [await balance(ann), await balance(bob)],
      [Number(before[0]) + 28, Number(before[1]) + 7],
    )
    const head = Number((await made.realm.head()).seq)
    const entries = await Promise.all([head - 2, head - 1, head].map((seq) => made.realm.entry(String(seq))))
    assert.deepEqual(
      entries.map(({ reason, person }) => [reason, person?.name]),
      [
        ['won the quiz', 'Ann Archer'],
        ['took part', 'Ann Archer'],
        ['took part', 'Ann Archer'],
      ],
    )
    await page.getByRole('link', { name: 'View first entry' }).click()
    await page.getByRole('dialog').getByText('won the quiz').waitFor()
  })

  it('shows every wrong line with what to do, and applies nothing', async () => {
    await begin()
    const page = await made.open('awards')
    const wrong = [
      'unknown, 1',
      '1.19E+18, 2',
      'ann, many',
      'twin, 3',
      '404, 4',
      'ann',
      'ann, 1,000',
      'crowd, 5',
      'smith, 6',
    ]
    await check(page, ['ann, 1', ...wrong].join('\n'))
    await page.getByText('9 lines need fixing. Nothing was changed.').waitFor()
    await page.getByText('No member is called “unknown”.').waitFor()
    await page.getByText('1.19E+18 is a long ID shortened by a spreadsheet.').waitFor()
    await page.getByText('“many” is not a valid amount.').waitFor()
    await page.getByText('Several members are called “twin”. Use one of these IDs: 5, 6.').waitFor()
    await page.getByText('Member 404 does not exist.').waitFor()
    await page.getByText('Expected an ID or a name, then the points').waitFor()
    await page.getByText('Is “1” part of a larger number?').waitFor()
    await page.getByText('No member is called “crowd”.').waitFor()
    await page.getByText('Too many members are called “smith”. Use the ID.').waitFor()
    assert.ok(await page.getByRole('button', { name: /Apply/ }).isDisabled())
    await page.getByRole('button', { name: 'Edit list' }).click()
    assert.match(await page.getByRole('textbox', { name: 'List' }).inputValue(), /unknown, 1/)
  })

  it('applies nothing when one line became impossible before confirming', async () => {
    await begin()
    await made.realm.member(bob).adjust(50)
    const page = await made.open('awards')
    const poorer = -(await balance(bob))
    await check(page, `ann, 5\nbob, ${poorer}`)
    await page.getByText('Nothing has changed yet').waitFor()
    await made.realm.member(bob).adjust(-1)
    const before = await balance(ann)
    await page.getByRole('button', { name: 'Apply 2 changes' }).click()
    await page.getByRole('alert').filter({ hasText: bob }).waitFor()
    assert.equal(await balance(ann), before)
  })

  it('awards once when resent after a lost response, also after editing the list', async () => {
    await begin()
    const before = await balance(ann)
    const page = await made.open('awards')
    await check(page, 'ann, 9')
    await page.getByText('Nothing has changed yet').waitFor()
    let lost = 0
    await page.route('**/members/tokenBalance', async (route) => {
      lost += 1
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('Check your connection.').waitFor()
    await page.unroute('**/members/tokenBalance')
    await page.getByRole('button', { name: 'Edit list' }).click()
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    await page.getByText('All changes applied').waitFor()
    assert.ok(lost > 0)
    assert.equal(await balance(ann), before + 9)
  })

  it('shows a viewer whom to ask', async () => {
    const page = await made.open('awards', { role: 'viewer' })
    await page.getByText('Ask an owner of this realm for the Manager role.').waitFor()
    assert.equal(await page.getByRole('textbox').count(), 0)
  })
})
