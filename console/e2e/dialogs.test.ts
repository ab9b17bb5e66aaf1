import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { inThemes, settled, violations } from './support/axe.ts'
import { choose, dialogOf } from './support/doing.ts'
import { type Play, play } from './support/stage.ts'

const made = play()

/** A realm with some activity, so that its lists have rows of every type. */
async function furnish(on: Play, realm: string): Promise<void> {
  const at = `/realms/${realm}`
  const key = (name: string, scopes: string[]) => on.operate('POST', `${at}/keys`, { name, scopes })
  await key('the bot', ['members:read', 'wallets:read', 'points:write'])
  await key('the nightly export', ['members:read', 'journal:read'])
  const { id } = (await key('the old shop', ['realm:admin'])) as { id: string }
  await on.operate('POST', `${at}/keys/${id}/rotate`, { overlapSeconds: 3600 })
  await on.manage('POST', `${at}/points`, { id: 'gems', name: 'Gems' })
  await on.manage('POST', `${at}/invitations`, {
    name: 'Ben Baker',
    email: 'ben@example.com',
    role: 'manager',
  })
  await on.operate('POST', '/invitations', { name: 'Olga Olsen', email: 'olga@example.com' })
  const names = ['Ada', 'Ada’s old account', 'Ada’s third account', 'Ben']
  const members = names.map((displayName, nth) => ({ id: String(7 + nth), displayName }))
  await on.manage('POST', `${at}/members`, { members })
  for (const { id } of members) await on.manage('PATCH', `${at}/members/${id}/tokenBalance`, { tokens: 30 })
  await on.manage('POST', `${at}/members/7/merges`, { from: '9', force: true })
  await on.manage('PATCH', at, { publicBoard: true })
  await on.manage('POST', `${at}/members/10/awards`, { tokens: 14 })
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).first().click()

async function merge(page: Page): Promise<void> {
  await press(page, 'More')
  await page.getByRole('menuitem', { name: 'Merge another member' }).click()
  await dialogOf(page).getByRole('combobox').fill('old')
  await page.getByRole('option', { name: /old account/ }).click()
  await dialogOf(page).getByText('move; the balance is').waitFor()
}

async function find(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
  await page
    .getByRole('option', { name: /Award points/ })
    .first()
    .waitFor()
}

/** Each page with data, then its dialogs, in menu order. */
const scenes: readonly (readonly [name: string, path: string, act: (page: Page) => Promise<void>])[] = [
  ['keys-list', '/keys', async () => {}],
  ['key-issue', '/keys', (page) => press(page, 'Issue a key')],
  ['key-replace', '/keys', (page) => choose(page, 'the bot', 'Replace')],
  ['key-revoke', '/keys', (page) => choose(page, 'the bot', 'Revoke')],
  [
    'key-shown',
    '/keys',
    async (page) => {
      await choose(page, 'the bot', 'Replace')
      await dialogOf(page).getByRole('button', { name: 'Replace' }).click()
      await page.getByText('shown once').waitFor()
    },
  ],
  ['merge', '/members/7', merge],
  ['merge-undo', '/members/7', (page) => press(page, 'Undo the merge of 9')],
  ['award-grant', '/members/10', (page) => press(page, 'Grant')],
  ['finder', '/members/7', (page) => find(page, 'award ada')],
  ['journal-reason', '/journal?q=ada', async () => {}],
  ['kinds-list', '/points', async () => {}],
  ['kind-add', '/points', (page) => press(page, 'Add a currency')],
  ['people-list', '/people', async () => {}],
  ['person-invite', '/people', (page) => press(page, 'Invite a team member')],
  ['limit', '/settings', (page) => press(page, 'Change limit')],
  ['audit-list', '/audit', async () => {}],
  ['operator-invite', '/../../operators', (page) => press(page, 'Invite an operator')],
  ['realm-make', '/../..', (page) => press(page, 'Create a realm')],
  ['realm-suspend', '/../..', (page) => choose(page, 'The Guild', 'Suspend')],
  ['board-share', '/leaderboard', (page) => press(page, 'Share')],
]

describe('dialogs', () => {
  for (const width of [1280, 390]) {
    it(`have no axe violations in either theme, ${width} wide`, async () => {
      const realm = await made.makeRealm()
      await furnish(made, realm)
      const { page, close } = await made.signedIn('operator', realm, { viewport: { width, height: 800 } })
      for (const [name, path, act] of scenes) {
        await page.goto(`/console/r/${realm}${path}`)
        await settled(page)
        await act(page)
        await settled(page)
        await inThemes(page, async (theme) => {
          if (made.stage.screenshots) {
            const file = `${made.stage.screenshots}/${name}-${theme}${width < 500 ? '-phone' : ''}.png`
            await page.screenshot({ path: file })
          }
          assert.deepEqual(await violations(page), [], `${name}, ${theme}`)
        })
      }
      await close()
    })
  }
})
