import type { PointData } from '@exchequer/sdk'
import { type Command, type Context, command, type Flags } from '../command.ts'
import { counted, grouped } from '../output.ts'
import type { Column } from '../table.ts'
import { changeOptions, kindFlag, saidFlags } from './change.ts'
import { memberOf, present, tokensOf, yesOrNo } from './values.ts'

type Change = {
  readonly member: string
  readonly tokens: number
  readonly flags: Parameters<typeof changeOptions>[0]
}

async function change({ realm, out }: Context, { member, tokens, flags }: Change): Promise<void> {
  const answer = await realm().member(member).adjust(tokens, changeOptions(flags))
  out.answer(answer, () => {
    const sign = tokens > 0 ? '+' : '−'
    const now = flags['dry-run'] ? 'would have' : 'has'
    out.line(`${member} ${now} ${counted(answer.newBalance, 'point')} (${sign}${grouped(Math.abs(tokens))}).`)
    out.aside(
      flags['dry-run']
        ? 'A dry run: nothing was changed.'
        : `Entry ${answer.transactionId}. To take it back: exchequer undo ${answer.transactionId}`,
    )
  })
}

const args = {
  member: { what: 'the member’s id, in digits' },
  tokens: { what: 'how many points, a whole number above 0' },
} as const

export const pointsAdd: Command = command({
  words: 'points add',
  what: 'award points to a member',
  args,
  flags: { ...kindFlag, ...saidFlags },
  examples: [
    { line: 'exchequer points add 1190194345295482952 25 --reason "won the quiz"', what: 'an award' },
    {
      line: 'exchequer points add 1190194345295482952 25 --once quiz-17',
      what: 'in a script: run twice, awarded once',
    },
  ],
  run: ({ args: { member, tokens }, flags }, context) =>
    change(context, { member: memberOf(member), tokens: tokensOf(tokens), flags }),
})

export const pointsTake: Command = command({
  words: 'points take',
  what: 'take points from a member, as when they are spent',
  args,
  flags: { ...kindFlag, ...saidFlags },
  examples: [{ line: 'exchequer points take 1190194345295482952 10 --reason "a mug"', what: 'points spent' }],
  run: ({ args: { member, tokens }, flags }, context) =>
    change(context, { member: memberOf(member), tokens: -tokensOf(tokens), flags }),
})

export const transfer: Command = command({
  words: 'transfer',
  what: 'give points of one member to another: both change or neither',
  args: {
    from: { what: 'the id of the member who gives' },
    to: { what: 'the id of the member who receives' },
    tokens: { what: 'how many points, a whole number above 0' },
  },
  flags: { ...kindFlag, ...saidFlags },
  examples: [
    {
      line: 'exchequer transfer 1190194345295482952 1190194345295482953 5 --reason thanks',
      what: 'five points',
    },
  ],
  async run({ args: given, flags }, { realm, out }) {
    const [from, to, tokens] = [memberOf(given.from), memberOf(given.to), tokensOf(given.tokens)]
    const answer = await realm().member(from).transfer(to, tokens, changeOptions(flags))
    out.answer(answer, () => {
      const now = flags['dry-run'] ? 'would have' : 'has'
      const [giver, receiver] = [answer.newBalance, answer.recipientBalance].map((one) =>
        counted(one, 'point'),
      )
      out.line(`${from} ${now} ${giver}, ${to} ${receiver}.`)
      out.aside(
        flags['dry-run']
          ? 'A dry run: nothing was changed.'
          : `Entry ${answer.transactionId}. To take it back: exchequer undo ${answer.transactionId}`,
      )
    })
  },
})

const columns: readonly Column[] = [
  { title: 'KIND', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'EMOJI' },
  { title: 'DEFAULT' },
  { title: 'TRANSFERABLE' },
  { title: 'MOST', right: true },
  { title: 'PER TRANSFER', right: true },
  { title: 'PER DAY', right: true },
  { title: 'ARCHIVED' },
]

const kindRow = (one: PointData) => [
  one.id,
  one.name,
  one.emoji,
  one.default ? 'default' : '',
  one.transferable,
  one.maxBalance,
  one.maxPerTransfer,
  one.maxPerDay,
  one.archived ? 'archived' : '',
]

export const kinds: Command = command({
  words: 'points kinds',
  what: 'list the realm’s kinds of points and their rules',
  examples: [{ line: 'exchequer points kinds', what: 'all of them' }],
  async run(_given, { realm, out }) {
    const list = await realm().points.list().toArray({ max: 1_000 })
    out.answer(list, () => out.table(columns, list.map(kindRow)))
  },
})

const ruleFlags = {
  name: { value: 'TEXT', what: 'what it is called' },
  emoji: { value: 'TEXT', what: 'an emoji, or the name of one' },
  most: { value: 'N', what: 'what a member may have at most, or none' },
  'per-transfer': { value: 'N', what: 'what can be transferred at once, or none' },
  'per-day': { value: 'N', what: 'what a member may transfer in a day, or none' },
  transferable: { value: 'YES', what: 'whether members can transfer it', choices: ['yes', 'no'] },
} as const satisfies Flags

type Rules = {
  readonly name?: string
  readonly emoji?: string
  readonly most?: string
  readonly 'per-transfer'?: string
  readonly 'per-day'?: string
  readonly transferable?: string
}

const bound = (text: string | undefined) => (text === undefined || text === 'none' ? text : tokensOf(text))

function rulesOf({ name, emoji, most, transferable, ...rest }: Rules) {
  return present({
    name,
    emoji,
    maxBalance: bound(most) as number | 'none' | undefined,
    maxPerTransfer: bound(rest['per-transfer']) as number | 'none' | undefined,
    maxPerDay: bound(rest['per-day']) as number | 'none' | undefined,
    transferable: yesOrNo(transferable),
  })
}

export const kindsAdd: Command = command({
  words: 'points kinds add',
  what: 'add a kind of points to the realm',
  args: { kind: { what: 'its id: a letter, then letters, digits, _ or -; or 24 hex digits' } },
  flags: ruleFlags,
  examples: [{ line: 'exchequer points kinds add silver --name Silver --per-day 100', what: 'with a rule' }],
  async run({ args: { kind }, flags }, { realm, out }) {
    const made = await realm().points.create({ id: kind, ...rulesOf(flags) })
    out.answer(made, () => out.table(columns, [kindRow(made)]))
  },
})

export const kindsSet: Command = command({
  words: 'points kinds set',
  what: 'change a kind of points: its name and rules, archived or not, the default',
  args: { kind: { what: 'its id' } },
  flags: {
    ...ruleFlags,
    archived: { value: 'YES', what: 'whether it is archived', choices: ['yes', 'no'] },
    default: { what: 'make it the one that is meant when none is named' },
  },
  examples: [
    { line: 'exchequer points kinds set silver --per-day none', what: 'takes a rule away' },
    {
      line: 'exchequer points kinds set silver --archived yes',
      what: 'nobody is shown it; what there is stays',
    },
  ],
  async run({ args: { kind }, flags }, { realm, out }) {
    const change = present({ archived: yesOrNo(flags.archived), default: flags.default })
    const made = await realm().points.change(kind, { ...rulesOf(flags), ...change })
    out.answer(made, () => out.table(columns, [kindRow(made)]))
  },
})
