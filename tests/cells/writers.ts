import { join } from 'node:path'
import { type Books, type Entry, type Opening, readBooks, readOpening } from '../chaos/books.ts'
import { Diary, type Answer as DiaryAnswer, type DiaryEntry, fateOf, readDiary } from '../chaos/diary.ts'
import { judge, type Verdict } from '../chaos/judge.ts'
import { Load } from '../chaos/load.ts'
import { Random } from '../chaos/random.ts'
import type { Checks } from '../security/checks.ts'
import type { RealmAccess } from '../support/fixture.ts'
import { cellOf, HeadWatch } from './heads.ts'
import type { CellStage } from './stage.ts'

/** The realm that moves, and one that stays where it is. */
export type Pair = { readonly busy: RealmAccess; readonly closed: RealmAccess }

export type Writing = {
  readonly name: string
  readonly realms: Pair
  readonly seed: number
  readonly clients: number
  readonly checks: Checks
}

/** How many acknowledged changes are retried at the end. */
const askedAgain = 200

const isDenied = ({ status }: DiaryAnswer): boolean => status === 401 || status === 403

/** Adjustments and transfers are the diary's; holds and their ends are not. */
const diaryKinds = 2
const isOthers = ({ kind }: Entry): boolean => kind > diaryKinds

async function openingsOf(stage: CellStage, { busy, closed }: Pair): Promise<Map<string, Opening>> {
  const openings = new Map<string, Opening>()
  for (const { id } of [busy, closed]) {
    const { postmaster } = await cellOf(stage, id)
    openings.set(id, await readOpening(postmaster.superuserUrl, [id]))
  }
  return openings
}

/** The books of both realms, each from the cell that has its head. */
async function booksOf(stage: CellStage, openings: ReadonlyMap<string, Opening>): Promise<Books> {
  const parts: Books[] = []
  for (const [id, opening] of openings) {
    const { postmaster } = await cellOf(stage, id)
    parts.push(await readBooks(postmaster.superuserUrl, { realms: [id], opening }))
  }
  return {
    entries: parts.flatMap(({ entries }) => entries),
    balances: new Map(parts.flatMap(({ balances }) => [...balances])),
    opening: {
      seqs: new Map(parts.flatMap(({ opening }) => [...(opening?.seqs ?? [])])),
      balances: new Map(parts.flatMap(({ opening }) => [...(opening?.balances ?? [])])),
    },
  }
}

function sample(entries: ReadonlyMap<number, DiaryEntry>, random: Random): DiaryEntry[] {
  const done = [...entries.values()].filter((one) => one.change.keyed && fateOf(one) === 'done')
  return Array.from({ length: Math.min(askedAgain, done.length) }, () => random.pick(done))
}

/** Runs this while clients write, then judges what they were answered. */
export async function whileWriting(
  stage: CellStage,
  { name, realms, seed, clients, checks }: Writing,
  work: (load: Load) => Promise<void>,
): Promise<void> {
  const openings = await openingsOf(stage, realms)
  const path = join(stage.folder, `${name.replaceAll(/\W+/g, '-')}.jsonl`)
  const diary = await Diary.open(path)
  const load = new Load({ urls: [stage.url], realms, diary, seed, clients })
  const watch = new HeadWatch(stage, realms.busy.id)
  try {
    await load.start()
    await work(load)
  } finally {
    await load.stop()
    await watch.stop()
    await diary.close()
  }
  const entries = await readDiary(path)
  const again = await load.askAgain(sample(entries, new Random(seed, name)))
  load.close()
  const verdict = judge(entries, await booksOf(stage, openings), isOthers)
  // A valid key stays valid, wherever its realm is.
  const denied = [...entries.values()].flatMap(({ answers }) => answers.filter(isDenied))
  checks.check(
    denied.length === 0,
    `${name}: a valid key was answered ${denied[0]?.status} ${denied[0]?.body}`,
  )
  report(name, { verdict, watch, again, checks })
}

type Judged = {
  readonly verdict: Verdict
  readonly watch: HeadWatch
  readonly again: readonly string[]
  readonly checks: Checks
}

const shown = 5

function report(name: string, { verdict, watch, again, checks }: Judged): void {
  const { acknowledged, refused, unknown, settled, lost, doubled, phantom, wrong } = verdict
  console.log(
    `  ${acknowledged} acknowledged, ${refused} refused, ${unknown} unknown, ${settled} of them settled; ` +
      `${lost} lost, ${doubled} doubled, ${phantom} phantom; heads looked at ${watch.looks} times`,
  )
  checks.check(acknowledged > 100, `${name}: only ${acknowledged} changes were acknowledged`)
  checks.check(wrong.length === 0, `${name}: the judge found ${wrong.slice(0, shown).join('; ')}`)
  checks.check(again.length === 0, `${name}: ${again.slice(0, shown).join('; ')}`)
  checks.check(watch.looks > 10, `${name}: the heads were looked at ${watch.looks} times`)
  checks.check(watch.wrong.length === 0, `${name}: ${watch.wrong.slice(0, shown).join('; ')}`)
}
