import assert from 'node:assert/strict'
import type { Realm } from '../../../sdk/src/index.ts'
import { until } from '../support/guild.ts'
import type { Play } from '../support/stage.ts'
import type { Hands } from './hands.ts'
import { asVisitor, onOwnSite, signInAs } from './others.ts'
import { balances, memberNamed, newestAward, people } from './realm.ts'

export type Workplace = { readonly play: Play; readonly hands: Hands; readonly realm: Realm }
/** A task rejects if a step is impossible or its outcome is not in the ledger. */
export type Task = { readonly name: string; readonly run: (place: Workplace) => Promise<void> }

const reason = 'Won the quiz'

async function find({ hands, realm }: Workplace): Promise<void> {
  await hands.click('button', /^Find/)
  await hands.type('xel wom')
  await hands.choose('Pixel Wombat')
  await hands.sees('heading', 'Pixel Wombat')
  // The page shows it.
  await hands.reads((await memberNamed(realm, 'Pixel Wombat')).id)
}

/** From the open dialog on, with Enter where the focus is. */
export async function fillInAward(hands: Hands, name: string): Promise<void> {
  await hands.sees('heading', 'Award points')
  await hands.hasFocus('textbox', 'Amount')
  await hands.type('50')
  // The currency, then the reason.
  await hands.press('Tab')
  await hands.press('Tab')
  await hands.hasFocus('textbox', /^Reason/)
  await hands.type(reason)
  await hands.press('Enter')
  await hands.reads('Preview: nothing has changed yet.')
  await hands.hasFocus('button', 'Award')
  await hands.press('Enter')
  await hands.reads(`50 awarded to ${name}`)
  await hands.seesPage()
}

async function award({ hands, realm }: Workplace): Promise<void> {
  const { tokenBalance } = await memberNamed(realm, 'Cedar Quokka')
  await hands.click('button', /^Find/)
  await hands.type('award cedar quo')
  await hands.choose('Award points to Cedar Quokka')
  await fillInAward(hands, 'Cedar Quokka')
  await isAwarded(realm, 'Cedar Quokka', tokenBalance)
}

export async function isAwarded(realm: Realm, name: string, before: number): Promise<void> {
  const member = await memberNamed(realm, name)
  const entry = await newestAward(realm, member)
  assert.deepEqual([member.tokenBalance, entry.tokens, entry.reason], [before + 50, 50, reason])
}

/** The member's page is open. */
async function undo({ hands, realm }: Workplace): Promise<void> {
  const member = await memberNamed(realm, 'Cedar Quokka')
  const { transactionId } = await newestAward(realm, member)
  await hands.click('button', /^Undo entry/, reason)
  await hands.sees('button', 'Undo')
  await hands.hasFocus('textbox', /^Reason/)
  await hands.press('Enter')
  await hands.reads(`Entry ${transactionId} is undone`)
  await isUndone(realm, transactionId, { name: 'Cedar Quokka', balance: member.tokenBalance - 50 })
}

type Undone = { readonly name: string; readonly balance: number }

export async function isUndone(realm: Realm, transactionId: string, { name, balance }: Undone) {
  const { reversedBy } = await realm.entry(transactionId)
  assert.ok(reversedBy, `entry ${transactionId} was not undone`)
  assert.equal((await realm.entry(reversedBy)).person?.name, 'Ann Archer')
  assert.equal((await memberNamed(realm, name)).tokenBalance, balance)
}

async function awardMany({ hands, realm }: Workplace): Promise<void> {
  const before = await balances(realm)
  await hands.click('link', 'Batch awards')
  await hands.sees('heading', 'Batch awards')
  await hands.paste(people.map(({ displayName }) => `${displayName}, 50`).join('\n'))
  await hands.click('button', 'Preview')
  await hands.reads('Nothing has changed yet.')
  await hands.click('button', 'Apply 200 changes')
  await hands.reads('All changes applied')
  const after = await balances(realm)
  assert.equal(people.length, 200)
  for (const { id } of people) assert.equal(after.get(id), (before.get(id) ?? Number.NaN) + 50, id)
}

const newcomers = Array.from({ length: 30 }, (_, nth) => ({
  id: String(2290194345295483001n + BigInt(nth) * 97n),
  name: `Newcomer ${nth + 1}`,
  points: 10 + nth,
}))

async function importFile({ hands, realm }: Workplace): Promise<void> {
  const rows = newcomers.map(({ id, name, points }) => `${id},${name},${points}`)
  const buffer = Buffer.from(['Discord ID,Nickname,XP', ...rows].join('\r\n'))
  await hands.click('link', 'Import')
  await hands.pickFile('Choose a file', { name: 'levels.csv', mimeType: 'text/csv', buffer })
  await hands.click('button', 'Check the file')
  await hands.reads('Ready to import. Nothing has changed yet.')
  await hands.click('button', 'Import')
  await hands.reads('30 rows imported.')
  const after = await balances(realm)
  for (const { id, points } of newcomers) assert.equal(after.get(id), points, id)
}

async function freeze({ hands, realm }: Workplace): Promise<void> {
  await hands.click('button', /^Find/)
  await hands.type('freeze velvet tap')
  await hands.choose('Freeze Velvet Tapir')
  await hands.sees('heading', 'Freeze Velvet Tapir?')
  await hands.hasFocus('checkbox', 'Also hide from leaderboards')
  await hands.press('Space')
  await hands.press('Tab')
  await hands.hasFocus('textbox', /^Reason/)
  await hands.type('Two accounts')
  await hands.press('Enter')
  await hands.reads('Velvet Tapir is frozen')
  const { id } = await memberNamed(realm, 'Velvet Tapir')
  const { frozen, hidden, note } = await realm.member(id).profile()
  assert.deepEqual([frozen, hidden], [true, true])
  assert.match(note ?? '', /: frozen\. Two accounts$/)
}

/** Who gained most this week, which is not who has most. */
export async function weeklyFirst(realm: Realm): Promise<string> {
  const firstOf = async (period: 'all' | 'week') =>
    (await realm.leaderboard({ period }).page({ limit: 1 })).data[0]?.displayName
  const first = await firstOf('week')
  assert.ok(first)
  assert.notEqual(first, await firstOf('all'))
  return first
}

async function gainedMost({ hands, realm }: Workplace): Promise<void> {
  await hands.click('link', 'Leaderboard')
  await hands.click('radio', 'Week')
  await hands.seesFirst('The first three', await weeklyFirst(realm))
}

/** The leaderboard of the week is open. */
async function share({ play, hands, realm }: Workplace): Promise<void> {
  await hands.click('checkbox', 'Make this leaderboard public')
  await hands.click('button', 'Share')
  await hands.click('button', 'Copy link')
  const link = await hands.copied(/^http/)
  await hands.click('button', 'Copy code')
  const code = await hands.copied(/^<script/)
  await hands.press('Escape')
  const first = await weeklyFirst(realm)
  // An answer from before is cached for at most five seconds.
  await until(async () => (await fetch(link)).ok)
  await asVisitor(play, link, (page) => page.getByText(first).first().waitFor())
  await onOwnSite(play, code, (page) => page.getByText(first).first().waitFor())
}

async function invite({ play, hands, realm }: Workplace): Promise<void> {
  await hands.click('button', /^Find/)
  await hands.type('invite')
  await hands.choose('Invite a person')
  await hands.sees('heading', 'Invite a team member')
  await hands.hasFocus('textbox', 'Name')
  await hands.type('Ben Baker')
  await hands.press('Enter')
  await hands.reads('shown once')
  await hands.click('button', 'Copy')
  const link = await hands.copied(/^http.*#/)
  await hands.click('button', 'Done')
  await signInAs(play, link)
  const team = await realm.people.list().toArray({ max: 10 })
  assert.equal(team.find(({ name }) => name === 'Ben Baker')?.role, 'viewer')
}

async function verify({ hands, realm }: Workplace): Promise<void> {
  const { seq, hash } = await realm.head()
  await hands.click('button', /^Find/)
  await hands.type('verify')
  await hands.choose('Verify the journal')
  await hands.sees('heading', 'Verify the journal')
  await hands.hasFocus('textbox', /^Compare with/)
  await hands.press('Enter')
  await hands.reads('Journal verified')
  const count = new Intl.NumberFormat('en-GB').format(Number(seq))
  await hands.reads(`All ${count} entries verified. Nothing was altered.`)
  await hands.reads(`${seq}:${hash}`)
}

/** The daily work of a manager; each task begins where the one before has ended. */
export const tenTasks: readonly Task[] = [
  { name: 'find a member by part of a name', run: find },
  { name: 'award 50 with a reason', run: award },
  { name: 'undo it', run: undo },
  { name: 'award 200 members from a pasted list', run: awardMany },
  { name: 'import a CSV file', run: importFile },
  { name: 'freeze and hide a cheater, with a reason', run: freeze },
  { name: 'see who gained most this week', run: gainedMost },
  { name: 'publish the leaderboard, and copy its link and code', run: share },
  { name: 'invite a viewer, and copy the link', run: invite },
  { name: 'verify the journal', run: verify },
]
