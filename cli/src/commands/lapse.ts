import { Lapse, type LapseRule } from '@exchequer/sdk/lapse'
import { type Command, command, yesFlag } from '../command.ts'
import { confirm } from '../prompt.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { present, tokensOf } from './values.ts'

const args = { pointType: { what: 'the point type’s id' } } as const

const numberOf = (text: string | undefined) => (text === undefined ? undefined : tokensOf(text))

const ruleFlags = {
  'after-days': { value: 'N', what: 'so many days after they were issued' },
  'after-months': { value: 'N', what: 'so many months after they were issued' },
  'round-to': {
    value: 'UNIT',
    what: 'the end of the unit that their life ends in',
    choices: ['day', 'month', 'quarter', 'year'],
  },
  on: { value: 'MM-DD,…', what: 'at the end of these days of each year' },
  idle: { value: 'MONTHS', what: 'the whole balance, so many months without activity' },
  'idle-by': { value: 'TYPES', what: 'what is activity: earned,spent by default' },
  'notice-days': { value: 'N', what: 'with --on, how long existing points have at least; 90 by default' },
  'not-before': { value: 'DATE', what: 'nothing lapses before this day' },
} as const

type RuleFlags = { readonly [name in keyof typeof ruleFlags]?: string | undefined }

function idleIn({ idle, 'idle-by': by }: RuleFlags) {
  const given = present({ months: numberOf(idle), by: by?.split(',') })
  return Object.keys(given).length > 0 ? given : undefined
}

/** The rule that the flags name; undefined without any. */
function ruleIn(flags: RuleFlags): LapseRule | undefined {
  const life = present({
    days: numberOf(flags['after-days']),
    months: numberOf(flags['after-months']),
    roundTo: flags['round-to'],
  })
  const rule = present({
    after: Object.keys(life).length > 0 ? life : undefined,
    on: flags.on?.split(','),
    idle: idleIn(flags),
    noticeDays: numberOf(flags['notice-days']),
    notBefore: flags['not-before'],
  })
  return Object.keys(rule).length > 0 ? (rule as LapseRule) : undefined
}

export const lapseRulesUpdate: Command = command({
  words: 'lapse update',
  what: 'set or change when points lapse',
  args,
  flags: {
    ...ruleFlags,
    'dry-run': { what: 'show what would happen, without changing anything' },
    ...idempotencyFlag,
  },
  examples: [
    {
      line: 'exchequer lapse update gold --after-months 12 --round-to month',
      what: 'a year, to the end of a month',
    },
    { line: 'exchequer lapse update gold --on 06-30,12-31 --dry-run', what: 'what it would do' },
    { line: 'exchequer lapse update gold --idle 12 --idle-by spent', what: 'a year without a purchase' },
  ],
  async run({ args: { pointType }, flags }, { realm, out }) {
    const dryRun = flags['dry-run'] === true
    const answer = await new Lapse(realm(), pointType).set(ruleIn(flags) ?? {}, { ...onceOf(flags), dryRun })
    out.answer(answer, () => {
      const { issuedNow, existing } = answer
      out.line(
        `Points of ${pointType} issued now ${dryRun ? 'would lapse' : 'lapse'} on ${issuedNow ?? 'no day'}.`,
      )
      if (existing.members > 0)
        out.line(
          `${existing.tokens} points of ${existing.members} members: on ${existing.lapsesOn ?? 'no day'}.`,
        )
      if (dryRun) out.line('Who would lose them: exchequer lapsing list, with the same options.')
    })
  },
})

export const lapseRulesDelete: Command = command({
  words: 'lapse delete',
  what: 'stop points from lapsing',
  args,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer lapse delete gold', what: 'asks first' }],
  async run({ args: { pointType }, flags }, { realm, out, terminal }) {
    await confirm(terminal, `Points of ${pointType} will not lapse any more.`, flags.yes)
    await new Lapse(realm(), pointType).remove(onceOf(flags))
    out.answer({ realmPointId: pointType }, () => out.line(`Points of ${pointType} do not lapse.`))
  },
})

export const lapsingList: Command = command({
  words: 'lapsing list',
  what: 'list who loses which points, and when',
  args,
  flags: { ...listFlags, ...ruleFlags, before: { value: 'DATE', what: 'only what lapses before this day' } },
  examples: [
    { line: 'exchequer lapsing list gold --before 2027-01-01', what: 'before the end of a year' },
    { line: 'exchequer lapsing list gold --after-months 12', what: 'as if this rule were set now' },
  ],
  async run({ args: { pointType }, flags }, context) {
    const { before } = flags
    const list = await listed(
      new Lapse(context.realm(), pointType).list(present({ before, rule: ruleIn(flags) })),
      flags,
    )
    const columns = [
      { title: 'MEMBER', style: 'cyan' },
      { title: 'FROM' },
      { title: 'POINTS', right: true },
    ] as const
    showList(context, list, {
      columns,
      row: ({ memberId, lapsesOn, tokens }) => [memberId, lapsesOn, tokens],
      empty: 'Nothing lapses.',
    })
  },
})
