import { Play, type Stage } from '../support/stage.ts'
import { type Effort, Hands } from './hands.ts'
import { keyboardTasks } from './keyboard.ts'
import { realmOfPeople } from './realm.ts'
import { type Task, tenTasks, type Workplace } from './ten.ts'

/** The most clicks that the ten tasks may take together. */
const clicksCap = 22
/** The most presses of Tab that the three tasks by keyboard may take together. */
const tabsCap = 6

export type TaskResult = { readonly passed: number; readonly problems: readonly string[] }
type Say = (line: string) => void

const nothing: Effort = { clicks: 0, keys: 0, tabs: 0, characters: 0 }

function combine(a: Effort, b: Effort, sign: 1 | -1): Effort {
  const of = (name: keyof Effort) => a[name] + sign * b[name]
  return { clicks: of('clicks'), keys: of('keys'), tabs: of('tabs'), characters: of('characters') }
}

const inWords = ({ clicks, keys, tabs, characters }: Effort): string =>
  `clicks ${clicks}, keys ${keys} (Tab ${tabs}), characters typed ${characters}`

type Done = { readonly sum: Effort; readonly problems: readonly string[] }

async function runAll(tasks: readonly Task[], place: Workplace, say: Say): Promise<Done> {
  const { hands, realm } = place
  const problems: string[] = []
  let sum = nothing
  for (const { name, run } of tasks) {
    const before = hands.effort
    let outcome = ''
    try {
      await run(place)
    } catch (error) {
      outcome = 'FAILED, '
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      await hands.startAgain(`/console/r/${realm.id}`)
    }
    const effort = combine(hands.effort, before, -1)
    sum = combine(sum, effort, 1)
    say(`${name}: ${outcome}${inWords(effort)}`)
  }
  say(`sum: ${inWords(sum)}`)
  return { sum, problems }
}

/**
 * Does the ten tasks of a manager, then three of them by keyboard alone, and prints what they take. A figure
 * counts only if every one of its tasks was done.
 */
export async function doTasks(say: Say, stage?: Stage): Promise<TaskResult> {
  const play = new Play()
  await play.start(stage)
  try {
    const realm = await realmOfPeople(play)
    const permissions = ['clipboard-read', 'clipboard-write']
    const { page, close } = await play.signedIn('owner', realm.id, { permissions })
    await page.getByRole('heading', { name: 'The Guild' }).waitFor()
    const place = { play, realm, hands: new Hands(page) }
    const ten = await runAll(tenTasks, place, say)
    say(`clicks ${ten.sum.clicks}`)
    say('by keyboard alone:')
    await place.hands.startAgain(`/console/r/${realm.id}`)
    const three = await runAll(keyboardTasks, place, say)
    say(`tabs ${three.sum.tabs}`)
    await close()
    return resultOf(ten, three)
  } finally {
    await play.stop()
  }
}

function resultOf(ten: Done, three: Done): TaskResult {
  const problems = [...ten.problems, ...three.problems]
  if (ten.problems.length > 0 || ten.sum.clicks > clicksCap)
    problems.push(`not all ten tasks within ${clicksCap} clicks`)
  if (three.problems.length > 0 || three.sum.tabs > tabsCap)
    problems.push(`not all three tasks by keyboard within ${tabsCap} Tabs`)
  const checks = tenTasks.length + keyboardTasks.length + 2
  return { passed: checks - problems.length, problems }
}
