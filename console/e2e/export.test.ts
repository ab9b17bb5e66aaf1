import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { ExportName } from '../../sdk/src/index.ts'
import { guild } from './support/guild.ts'

const made = guild()
const folder = mkdtempSync(join(tmpdir(), 'exchequer-e2e-'))
after(() => rmSync(folder, { recursive: true, force: true }))

async function saved(page: Page, name: string): Promise<{ readonly name: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: `Download ${name}` }).click(),
  ])
  const file = join(folder, name)
  await download.saveAs(file)
  return { name: download.suggestedFilename(), text: await readFile(file, 'utf8') }
}

const files: [string, ExportName][] = [
  ['Members', 'members.csv'],
  ['Balances', 'balances.csv'],
  ['Entries', 'entries.csv'],
  ['The whole realm', 'realm.ndjson'],
]

describe('an export', () => {
  it('is saved by the browser, the same as the interface tells it', async () => {
    await made.realm.import('id,username,balance\n5,=HYPERLINK(1),3\n1190194345295482952,ann,7\n', {
      name: 'all',
    })
    const page = await made.open('export')
    for (const [name, file] of files) {
      const told = await new Response((await made.realm.export(file)).stream).text()
      const { name: as, text } = await saved(page, name)
      assert.equal(text, told)
      assert.match(as, new RegExp(`^${made.realm.id}-\\d{4}-\\d{2}-\\d{2}-${file}$`))
    }
    await page
      .getByText(/saved · as of entry 2/)
      .first()
      .waitFor()
  })

  it('that is cut off is not saved, and says so', async () => {
    const page = await made.open('export')
    await page.route('**/export/members.csv', (route) => route.abort())
    await page.getByRole('button', { name: 'Download Members' }).click()
    await page.getByText('Check your connection.').waitFor()
  })

  it('of the whole realm is for owners; a viewer takes the others', async () => {
    const page = await made.open('export', { role: 'viewer' })
    await page.getByText('Only owners can take the whole realm out.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Download The whole realm' }).isDisabled())
    assert.match((await saved(page, 'Balances')).text, /1190194345295482952/)
  })
})
