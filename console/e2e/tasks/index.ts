import { Play, type Stage } from '../support/stage.ts'
import { type Action, Hands } from './hands.ts'
import { keyboardTasks } from './keyboard.ts'
import { realmOfPeople } from './realm.ts'
import { type Task, tenTasks, type Workplace } from './ten.ts'

/** The most clicks that the ten tasks may take together. */
const clicksCap = 22
/** The most presses of Tab that the three tasks by keyboard may take together. */
const tabsCap = 6

export type TaskResult = { readonly passed: number; readonly problems: readonly string[] }
type Say = (line: string) => void

const countOf = (actions: readonly Action[], wanted: Action): number =>
  actions.filter((action) => action === wanted).length

function inWords(actions: readonly Action[]): string {
  const keys = actions.filter((action) => action !== 'click' && action !== 'character')
  const each = [...new Set(keys)].map((key) => `${key} ${countOf(keys, key)}`)
  const named = each.length > 0 ? ` (${each.join(', ')})` : ''
  const characters = countOf(actions, 'character')
  return `clicks ${countOf(actions, 'click')}, keys ${keys.length}${named}, characters ${characters}`
}

type Done = { readonly actions: readonly Action[]; readonly problems: readonly string[] }

async function runAll(tasks: readonly Task[], place: Workplace, say: Say): Promise<Done> {
  const { hands, realm } = place
  const problems: string[] = []
  const first = hands.actions.length
  for (const { name, run } of tasks) {
    const before = hands.actions.length
    let outcome = ''
    try {
      await run(place)
    } catch (error) {
      outcome = 'FAILED, '
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      await hands.startAgain(`/console/r/${realm.id}/members`)
    }
    say(`${name}: ${outcome}${inWords(hands.actions.slice(before))}`)
  }
  const actions = hands.actions.slice(first)
  say(`sum: ${inWords(actions)}`)
  return { actions, problems }
}

/**
 * Does the ten tasks of a manager, then three of them by keyboard alone, and prints what they take. A figure
 * counts only if every one of its tasks was done.
 */
export async function doTasks(say: Say, stage: Stage): Promise<TaskResult> {
  const play = new Play()
  await play.start(stage)
  try {
    const realm = await realmOfPeople(play)
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, close } = await play.signedIn('owner', realm.id, { permissions })
    await page.getByRole('heading', { name: 'The Guild' }).waitFor()
    const place = { play, realm, hands: new Hands(page) }
    const ten = await runAll(tenTasks, place, say)
    say(`clicks ${countOf(ten.actions, 'click')}`)
    say('by keyboard alone:')
    await place.hands.startAgain(`/console/r/${realm.id}`)
    const three = await runAll(keyboardTasks, place, say)
    say(`tabs ${countOf(three.actions, 'Tab')}`)
    await close()
    return resultOf(ten, three)
  } finally {
    await play.stop()
  }
}

function resultOf(ten: Done, three: Done): TaskResult {
  const problems = [...ten.problems, ...three.problems]
  if (ten.problems.length > 0 || countOf(ten.actions, 'click') > clicksCap)
    problems.push(`not all ten tasks within ${clicksCap} clicks`)
  if (three.problems.length > 0 || countOf(three.actions, 'Tab') > tabsCap)
    problems.push(`not all three tasks by keyboard within ${tabsCap} Tabs`)
  const checks = tenTasks.length + keyboardTasks.length + 2
  return { passed: checks - problems.length, problems }
}
