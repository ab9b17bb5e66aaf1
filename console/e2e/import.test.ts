import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { guild } from './support/guild.ts'

const made = guild()
const first = 1190194345295482001n

/** Drops a file on the page, as a browser does. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  const data = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(new File([${JSON.stringify(text)}],
      ${JSON.stringify(name)})); return data })()`,
  )
  await page.dispatchEvent('[data-drop]', 'drop', { dataTransfer: data })
}

const check = (page: Page) => page.getByRole('button', { name: 'Check the file' }).click()
const start = (page: Page) => page.getByRole('button', { name: 'Import', exact: true }).click()

describe('an import', () => {
  it('is dropped and matched, shows every error with its line, is corrected and imported', async () => {
    const page = await made.open('import')
    const wrong = [
      'User ID;Nick;Punkte;Notes',
      `${first};Ann;25;"two\nlines"`,
      '1.19019E+18;Bob;3;',
      '1190194345295480000;Cy;4;',
      `${first};Again;5;`,
      `${first + 1n};Dan;many;`,
      `${first + 2n};Eve`,
    ]
    await drop(page, 'list.csv', wrong.join('\r\n'))
    await page.getByText('6 rows').waitFor()
    assert.equal(await page.getByLabel('Column User ID').inputValue(), 'id')
    assert.equal(await page.getByLabel('Column Nick').inputValue(), 'displayName')
    assert.match(await page.getByLabel('Column Punkte').inputValue(), /^balance:/)
    assert.equal(await page.getByLabel('Column Notes').inputValue(), '')
    await check(page)
    await page.getByText('5 rows need fixing. Nothing was changed.').waitFor()
    await page.getByText('A spreadsheet has mangled 2 IDs').waitFor()
    const row = (line: number) => page.getByRole('row', { name: new RegExp(`^${line} `) })
    await row(4).getByText('Mangled by a spreadsheet').waitFor()
    await row(5).getByText('Looks rounded by a spreadsheet').waitFor()
    await row(6).getByText('This ID is already on line 2.').waitFor()
    await row(7).getByText('is not a valid balance').waitFor()
    await row(8).getByText('This row has 2 cells, but there are 4 columns.').waitFor()
    assert.equal((await made.realm.head()).seq, '0')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await drop(page, 'list.csv', `User ID;Nick;Punkte\n${first};Ann;25\n${first + 1n};Dan;5\n`)
    await check(page)
    await page.getByText('Ready to import. Nothing has changed yet.').waitFor()
    assert.equal((await made.realm.head()).seq, '0')
    await start(page)
    await page.getByText('2 rows imported.').waitFor()
    const { tokenBalance, displayName } = await made.realm.member(first).get()
    assert.deepEqual([tokenBalance, displayName], [25, 'Ann'])
  })

  it('uses the chosen column targets, each at most once', async () => {
    const page = await made.open('import')
    await drop(page, 'odd.csv', `a,b,c\n7,x,9\n`)
    await page.getByText('Choose the column with the member IDs.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Check the file' }).isDisabled())
    await page.getByLabel('Column a').selectOption('id')
    await page.getByLabel('Column b').selectOption('username')
    await page.getByLabel('Column c').selectOption('username')
    await page.getByText('Two columns are set to “Username”. Choose one.').waitFor()
    await page.getByLabel('Column c').selectOption('')
    await check(page)
    await start(page)
    await page.getByText('1 row imported.').waitFor()
    const { tokenBalance, username } = await made.realm.member('7').get()
    assert.deepEqual([tokenBalance, username], [0, 'x'])
  })

  it('detects a file without a header and reports its original line numbers', async () => {
    const page = await made.open('import')
    await drop(page, 'bare.csv', '8,one,3\n9,two,x\n')
    assert.equal(await page.getByLabel('First line contains column names').isChecked(), false)
    await page.getByLabel('Column Column 3').selectOption({ index: 6 })
    await check(page)
    await page.getByRole('row', { name: /^2 9 / }).waitFor()
  })

  it('imports NDJSON unchanged', async () => {
    const page = await made.open('import')
    await drop(page, 'some.ndjson', `{"id":${first + 70n},"username":"nd","balance":3}\n`)
    await check(page)
    await start(page)
    await page.getByText('1 row imported.').waitFor()
    assert.equal((await made.realm.member(first + 70n).get()).tokenBalance, 3)
  })

  it('continues where it stopped after a lost server, and imports nothing twice', async () => {
    const rows = Array.from({ length: 5000 }, (_, nth) => `${first + 1000n + BigInt(nth)},2\n`)
    const circulation = async () => Number((await made.realm.statistics()).supply[0]?.circulation ?? 0)
    const before = await circulation()
    const page = await made.open('import')
    await drop(page, 'large.csv', `id,balance\n${rows.join('')}`)
    await check(page)
    await page.getByText('Ready to import.').waitFor()
    let asked = 0
    await page.route(/\/import\?/, async (route) => {
      asked += 1
      if (asked === 1) await route.continue()
      else await route.abort()
    })
    await start(page)
    await page.getByText('The import stopped.').waitFor()
    await page.unroute(/\/import\?/)
    await start(page)
    await page.getByText('5,000 rows imported.').waitFor()
    assert.equal(await circulation(), before + 10_000)
  })

  it('rejects other files and shows what to do', async () => {
    const page = await made.open('import')
    await page.setInputFiles('input[type=file]', {
      name: 'a.csv',
      mimeType: '',
      buffer: Buffer.from([0x49, 0xe4]),
    })
    await page.getByText('This file is not UTF-8.').waitFor()
    await drop(page, 'empty.csv', '')
    await page.getByText('This file has no rows.').waitFor()
    const whole = await new Response((await made.realm.export('realm.ndjson')).stream).text()
    await drop(page, 'realm.ndjson', whole)
    await page.getByText('This is the export of a whole realm.').waitFor()
  })

  it('asks before adding balances to existing points', async () => {
    await made.realm.import('id,balance\n71,5\n72,6\n', { name: 'the move' })
    const page = await made.open('import')
    await drop(page, 'again.csv', 'id,balance\n71,5\n73,6\n')
    await check(page)
    await page.getByText('1 balance is for a member who already has points').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled())
    await page.getByLabel('Add these balances to what the members already have').check()
    await start(page)
    await page.getByText('2 rows imported.').waitFor()
    assert.equal((await made.realm.member('71').get()).tokenBalance, 10)
  })

  it('is for owners', async () => {
    const page = await made.open('import', { role: 'manager' })
    await page.getByText('Ask an owner of this realm for the Owner role.').waitFor()
  })
})
