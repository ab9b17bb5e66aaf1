import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { inThemes } from './support/axe.ts'
import { guild, type Look, looksRight } from './support/guild.ts'

const made = guild()
const ann = '1190194345295482001'

async function begin(): Promise<void> {
  if ((await made.realm.head()).seq !== '0') return
  await made.realm.members.put([
    { id: ann, username: 'ann', displayName: 'Ann with a name that is rather long' },
  ])
  await made.realm.change({ publicBoard: true })
  for (let nth = 0; nth < 5; nth += 1)
    await made.realm
      .member(ann)
      .adjust(1_234_567, { reason: 'For a reason that takes more than a line to say' })
}

const file = {
  name: 'list.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('id,name,points\n1.2E+18,x,y\n5,a,3\n'),
}
const good = { ...file, buffer: Buffer.from('id,name,points\n5,a,3\n') }

/** What is done on a page before it is checked. */
const states: [string, string, (page: Page, de: boolean) => Promise<unknown>][] = [
  ['leaderboard', 'leaderboard', (page) => page.locator('tbody tr').first().waitFor()],
  [
    'leaderboard-range',
    'leaderboard?period=range',
    (page) => page.locator('input[type=date]').first().waitFor(),
  ],
  ['journal', 'journal', (page) => page.locator('tbody tr').first().waitFor()],
  ['journal-none', 'journal?type=expiry', (page) => page.locator('main .card p').first().waitFor()],
  ['journal-dialog-entry', 'journal?entry=2', (page) => page.getByRole('dialog').locator('code').waitFor()],
  [
    'journal-dialog-verify',
    'journal',
    async (page, de) => {
      await page.getByRole('button', { name: de ? 'Prüfen' : 'Verify', exact: true }).click()
      await page.getByRole('button', { name: de ? 'Starten' : 'Start' }).click()
      await page.getByRole('dialog').locator('code').waitFor()
    },
  ],
  ['awards', 'awards', (page) => page.locator('textarea').waitFor()],
  [
    'awards-checked',
    'awards',
    async (page) => {
      await page.locator('textarea').fill('ann, 5, helped\nunknown, 3\nann, x')
      await page.locator('button[type=submit]').click()
      await page.locator('tbody tr').first().waitFor()
    },
  ],
  ['import', 'import', (page) => page.locator('[data-drop]').waitFor()],
  [
    'import-columns',
    'import',
    (page) =>
      page.setInputFiles('input[type=file]', file).then(() => page.locator('select').first().waitFor()),
  ],
  [
    'import-faults',
    'import',
    async (page, de) => {
      await page.setInputFiles('input[type=file]', file)
      await page.getByRole('button', { name: de ? 'Datei prüfen' : 'Check the file' }).click()
      await page.locator('tbody tr').first().waitFor()
    },
  ],
  [
    'import-checked',
    'import',
    async (page, de) => {
      await page.setInputFiles('input[type=file]', good)
      await page.getByRole('button', { name: de ? 'Datei prüfen' : 'Check the file' }).click()
      await page.locator('dl').waitFor()
    },
  ],
  ['export', 'export', (page) => page.locator('li button').last().waitFor()],
]

const looks: Record<string, Look> = {
  wide: {},
  phone: { phone: true },
  'phone-dark-de': { phone: true, theme: 'dark', german: true },
}

describe('pages for daily work have no axe violations and fit the window', () => {
  for (const [name, look] of Object.entries(looks)) {
    it(`as ${name}`, async () => {
      await begin()
      const page = await made.open('leaderboard', look)
      for (const [state, path, act] of states) {
        await page.goto(made.addressOf(path))
        await act(page, look.german === true)
        const check = (as: string) => looksRight(page, `work-${state}-${as}`, made.screenshots)
        if (name === 'wide') await inThemes(page, check)
        else await check(name)
      }
    })
  }
})
