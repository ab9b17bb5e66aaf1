import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits, wrongUsage } from '../exits.ts'
import { counted } from '../output.ts'
import { confirm } from '../prompt.ts'
import { entryOf, memberOf, momentOf, present } from './values.ts'

const saidFlags = {
  reason: { value: 'TEXT', what: 'why, in words; kept with the entry' },
  'dry-run': { what: 'tell what would be, and change nothing' },
} as const

export const undo: Command = command({
  words: 'undo',
  what: 'undo an entry: the points go back where they were; once',
  args: { transaction: { what: 'its number, as exchequer history shows it' } },
  flags: saidFlags,
  examples: [
    {
      line: 'exchequer undo 17 --reason "the wrong member"',
      what: 'the entry stays, a second one undoes it',
    },
  ],
  async run({ args, flags }, { realm, out }) {
    const wanted = present({ reason: flags.reason, dryRun: flags['dry-run'] })
    const answer = await realm().reverse(entryOf(args.transaction), wanted)
    out.answer(answer, () => {
      const balances = answer.balances.map(
        ({ memberId, newBalance }) => `${memberId} has ${counted(newBalance, 'point')}`,
      )
      const verb = flags['dry-run'] ? 'would be undone' : 'is undone'
      out.line(`Entry ${answer.reverses} ${verb}${balances.length > 0 ? `: ${balances.join(', ')}` : ''}.`)
    })
  },
})

type Filter = Parameters<ReturnType<Context['realm']>['reverseMany']>[0]
type Tally = {
  matched: number
  undone: number
  points: number
  already: number
  refused: { transactionId: string; detail: string }[]
}

async function runOver(
  { realm }: Context,
  filter: Filter,
  options: { reason?: string; dryRun?: boolean },
): Promise<Tally> {
  const tally: Tally = { matched: 0, undone: 0, points: 0, already: 0, refused: [] }
  for await (const page of realm().reverseMany(filter, options)) {
    tally.matched += page.matched
    tally.undone += page.reversed.length
    tally.points += page.reversed.reduce((sum, { tokens }) => sum + tokens, 0)
    tally.already += page.already
    tally.refused.push(...page.refused)
  }
  return tally
}

export const undoMany: Command = command({
  words: 'undo many',
  what: 'undo all entries that have something in common: a reference, an actor, a key, a time',
  more: 'What would be undone is counted first, and asked about.',
  flags: {
    reference: { value: 'TEXT', what: 'entries with this reference' },
    actor: { value: 'MEMBER', what: 'entries that this member caused' },
    'by-key': { value: 'ID', what: 'entries that this key made' },
    from: { value: 'TIME', what: 'entries from then on' },
    until: { value: 'TIME', what: 'entries before then' },
    ...saidFlags,
    ...yesFlag,
  },
  examples: [
    { line: 'exchequer undo many --reference import-17 --dry-run', what: 'what would be undone' },
    { line: 'exchequer undo many --by-key 3 --from "2030-01-31 18:00"', what: 'what a lost key did' },
  ],
  async run({ flags }, context) {
    const { reference, actor, from, until } = flags
    const filter = present({
      reference,
      actorId: actor === undefined ? undefined : memberOf(actor),
      keyId: flags['by-key'],
      from: from === undefined ? undefined : momentOf('--from', from),
      until: until === undefined ? undefined : momentOf('--until', until),
    })
    if (Object.keys(filter).length === 0)
      throw wrongUsage('Which entries? Give --reference, --actor, --by-key, --from or --until.')
    const would = await runOver(context, filter, { dryRun: true })
    if (flags['dry-run'] || would.undone === 0) return tell(context, would, 'would be undone')
    const points = counted(would.points, 'point')
    const what = `${counted(would.undone, 'entry is', 'entries are')} undone, ${points} in all.`
    await confirm(context.terminal, what, flags.yes)
    return tell(context, await runOver(context, filter, present({ reason: flags.reason })), 'undone')
  },
})

function tell({ out }: Context, tally: Tally, verb: string): number {
  out.answer(tally, () => {
    const before = tally.already > 0 ? `, ${tally.already} undone before` : ''
    const points = counted(tally.points, 'point')
    out.line(`${counted(tally.undone, 'entry', 'entries')} ${verb}, ${points} in all${before}.`)
    for (const { transactionId, detail } of tally.refused) out.aside(`  ${transactionId}: ${detail}`)
  })
  return tally.refused.length > 0 ? exits.refused.code : exits.done.code
}
