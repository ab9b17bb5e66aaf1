import { type Command, type Context, command, yesFlag } from '../command.ts'
import { exits, wrongUsage } from '../exits.ts'
import { counted } from '../output.ts'
import { confirm } from '../prompt.ts'
import { changeFlags, changeOptions, nothingChanged } from './change.ts'
import { endOf, entryOf, memberInBody, present } from './values.ts'

export const entriesReverse: Command = command({
  words: 'entries reverse',
  what: 'reverse an entry: the points go back; possible once',
  more: 'The entry stays in the journal, and a second one reverses it.',
  args: { entry: { what: 'its id, as exchequer entries list shows it' } },
  flags: changeFlags,
  examples: [{ line: 'exchequer entries reverse 17 --reason "the wrong member"', what: 'a mistake' }],
  async run({ args, flags }, { realm, out }) {
    const answer = await realm().reverse(entryOf(args.entry), changeOptions(flags))
    out.answer(answer, () => {
      const balances = answer.balances.map(
        ({ memberId, newBalance }) => `${memberId} has ${counted(newBalance, 'point')}`,
      )
      const verb = flags['dry-run'] ? 'would be reversed' : 'is reversed'
      out.line(`Entry ${answer.reverses} ${verb}${balances.length > 0 ? `: ${balances.join(', ')}` : ''}.`)
      if (flags['dry-run']) out.aside(nothingChanged)
    })
  },
})

type Filter = Parameters<ReturnType<Context['realm']>['reverseMany']>[0]
type Options = NonNullable<Parameters<ReturnType<Context['realm']>['reverseMany']>[1]>
type Tally = {
  matched: number
  reversed: number
  points: number
  already: number
  refused: { transactionId: string; detail: string }[]
}

async function runOver({ realm }: Context, filter: Filter, options: Options): Promise<Tally> {
  const tally: Tally = { matched: 0, reversed: 0, points: 0, already: 0, refused: [] }
  for await (const page of realm().reverseMany(filter, options)) {
    tally.matched += page.matched
    tally.reversed += page.reversed.length
    tally.points += page.reversed.reduce((sum, { tokens }) => sum + tokens, 0)
    tally.already += page.already
    tally.refused.push(...page.refused)
  }
  return tally
}

export const reversalsCreate: Command = command({
  words: 'reversals create',
  what: 'reverse all entries that have something in common',
  more:
    'Choose entries by reference, actor, key or time; an entry must match all that you give. They are ' +
    'counted first, and you are asked to confirm. Each is reversed by itself: the exit code is 1 when one ' +
    'could not be.',
  flags: {
    'filter-reference': { value: 'TEXT', what: 'entries with this reference' },
    'filter-actor-id': { value: 'MEMBER', what: 'entries that this member caused' },
    'filter-key-id': { value: 'ID', what: 'entries that were made with this key' },
    from: { value: 'TIME', what: 'entries from then on' },
    to: { value: 'TIME', what: 'entries before then' },
    ...changeFlags,
    ...yesFlag,
  },
  examples: [
    { line: 'exchequer reversals create --filter-reference import-17 --dry-run', what: 'what it would do' },
    {
      line: 'exchequer reversals create --filter-key-id 3 --from "2030-01-31 18:00"',
      what: 'all that was done with a lost key',
    },
  ],
  async run({ flags }, context) {
    const { from, to, 'filter-actor-id': actor } = flags
    const filter = present({
      reference: flags['filter-reference'],
      actorId: actor === undefined ? undefined : memberInBody(actor),
      keyId: flags['filter-key-id'],
      from: endOf('--from', from),
      to: endOf('--to', to),
    })
    if (Object.keys(filter).length === 0)
      throw wrongUsage(
        'Which entries? Give --filter-reference, --filter-actor-id, --filter-key-id, --from or --to.',
      )
    const would = await runOver(context, filter, { dryRun: true })
    if (flags['dry-run'] || would.reversed === 0) return report(context, would, 'would be reversed')
    const points = counted(would.points, 'point')
    const what = `${counted(would.reversed, 'entry', 'entries')} will be reversed, ${points} in all.`
    await confirm(context.terminal, what, flags.yes)
    return report(context, await runOver(context, filter, changeOptions(flags)), 'reversed')
  },
})

function report({ out }: Context, tally: Tally, verb: string): number {
  out.answer(tally, () => {
    const before = tally.already > 0 ? `, ${tally.already} reversed before` : ''
    const points = counted(tally.points, 'point')
    out.line(`${counted(tally.reversed, 'entry', 'entries')} ${verb}, ${points} in all${before}.`)
    for (const { transactionId, detail } of tally.refused) out.aside(`  ${transactionId}: ${detail}`)
  })
  return tally.refused.length > 0 ? exits.refused.code : exits.done.code
}
