import assert from 'node:assert/strict'
import { memberNamed, newestAward } from './realm.ts'
import { fillInAward, isAwarded, isUndone, type Task, type Workplace, weeklyFirst } from './ten.ts'

const name = 'Nimble Ibis'

async function award({ hands, realm }: Workplace): Promise<void> {
  const { tokenBalance } = await memberNamed(realm, name)
  await hands.press('Control+k')
  await hands.type('award nimble ib')
  await hands.choose(`Award points to ${name}`)
  await fillInAward(hands, name)
  await isAwarded(realm, name, tokenBalance)
}

/** The member's page is open: the finder has its newest entries. */
async function undo({ hands, realm }: Workplace): Promise<void> {
  const member = await memberNamed(realm, name)
  const { transactionId } = await newestAward(realm, member)
  await hands.press('Control+k')
  await hands.type('undo ')
  await hands.choose(`Undo entry ${transactionId}`)
  await hands.sees('heading', `Undo entry ${transactionId}`)
  await hands.sees('button', 'Undo')
  await hands.press('Enter')
  await hands.reads(`Entry ${transactionId} is undone`)
  await isUndone(realm, transactionId, { name, balance: member.tokenBalance - 50 })
}

async function gainedMost({ hands, realm }: Workplace): Promise<void> {
  await hands.press('Control+k')
  await hands.type('leaderb')
  await hands.choose('Leaderboard')
  await hands.hasFocus('heading', 'Leaderboard')
  // The currency, then the period.
  await hands.press('Tab')
  await hands.press('Tab')
  await hands.hasFocus('radio', 'All time')
  await hands.press('ArrowRight')
  await hands.hasFocus('radio', 'Week')
  await hands.seesFirst('The first three', await weeklyFirst(realm))
}

const withoutClicks = (task: Task): Task => ({
  ...task,
  run: async (place) => {
    const before = place.hands.actions.length
    await task.run(place)
    assert.ok(!place.hands.actions.slice(before).includes('click'), 'the mouse was used')
  },
})

export const keyboardTasks: readonly Task[] = [
  { name: 'award 50 with a reason', run: award },
  { name: 'undo it', run: undo },
  { name: 'see who gained most this week', run: gainedMost },
].map(withoutClicks)
