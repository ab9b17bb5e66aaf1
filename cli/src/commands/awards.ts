import { type AwardData, Awards } from '@exchequer/sdk/awards'
import { type Command, type Context, command } from '../command.ts'
import { counted, grouped, timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { changeFlags, changeOptions, nothingChanged, pointTypeFlag } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { memberOf, momentOf, present, tokensOf } from './values.ts'

const columns: readonly Column[] = [
  { title: 'AWARD', style: 'cyan' },
  { title: 'MEMBER' },
  { title: 'POINTS', right: true },
  { title: 'POINT TYPE' },
  { title: 'DUE' },
]

const dueText = ({ grantAt }: Pick<AwardData, 'grantAt'>): string | null =>
  grantAt === null ? null : timeText(grantAt)

const row = (one: AwardData) => [one.awardId, one.memberId, one.tokens, one.realmPointId, dueText(one)]

const awardsOf = ({ realm }: Context): Awards => new Awards(realm())

export const awardsList: Command = command({
  words: 'awards list',
  what: 'list pending awards, newest first',
  flags: { member: { value: 'MEMBER', what: 'only those of this member' }, ...listFlags },
  examples: [
    { line: 'exchequer awards list', what: 'of all members' },
    { line: 'exchequer awards list --member 1190194345295482952', what: 'of one member' },
  ],
  async run({ flags }, context) {
    const { member } = flags
    const awards = awardsOf(context).list(member === undefined ? undefined : memberOf(member))
    showList(context, await listed(awards, flags), { columns, row, empty: 'There are no pending awards.' })
  },
})

const id = { award: { what: 'the award’s id, as exchequer awards list shows it' } } as const

export const awardsShow: Command = command({
  words: 'awards show',
  what: 'show one award, and whether it is still pending',
  args: id,
  examples: [{ line: 'exchequer awards show 17', what: 'its points, due time and status' }],
  async run({ args }, context) {
    const one = await awardsOf(context).get(args.award)
    const { out } = context
    out.answer(one, () =>
      out.record([
        ['award', one.awardId],
        ['status', one.status],
        ['member', one.memberId],
        ['points', one.tokens],
        ['point type', one.realmPointId],
        ['due', dueText(one)],
        ['postponed by', one.postponedBy],
        ['ended by entry', one.endedBy],
      ]),
    )
  },
})

export const awardsCreate: Command = command({
  words: 'awards create',
  what: 'promise points to a member, who can spend them once they are granted',
  more: 'With --grant-at the award is granted by itself then; otherwise by awards grant.',
  args: {
    member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' },
    tokens: { what: 'how many points, a whole number above 0' },
  },
  flags: {
    'grant-at': { value: 'TIME', what: 'when it is granted, such as 2030-01-31T12:00:00Z' },
    ...pointTypeFlag,
    ...changeFlags,
  },
  examples: [
    {
      line: 'exchequer awards create 1190194345295482952 40 --reference order-17',
      what: 'promise 40 points until the order can’t be returned',
    },
  ],
  async run({ args, flags }, context) {
    const { 'grant-at': grantAt, ...details } = flags
    const [member, tokens] = [memberOf(args.member), tokensOf(args.tokens)]
    const due = present({ grantAt: grantAt === undefined ? undefined : momentOf('--grant-at', grantAt) })
    const data = await awardsOf(context).create(member, tokens, { ...changeOptions(details), ...due })
    const { out } = context
    out.answer(data, () => {
      const verb = flags['dry-run'] ? 'would be' : 'are'
      out.line(`${counted(tokens, 'point')} ${verb} promised to ${member}.`)
      out.aside(
        flags['dry-run']
          ? nothingChanged
          : `Award ${data.awardId}. To grant it: exchequer awards grant ${data.awardId}`,
      )
    })
  },
})

export const awardsGrant: Command = command({
  words: 'awards grant',
  what: 'grant an award: its points are added to the balance',
  args: id,
  flags: changeFlags,
  examples: [{ line: 'exchequer awards grant 17', what: 'the order was kept' }],
  async run({ args, flags }, context) {
    const answer = await awardsOf(context).grant(args.award, changeOptions(flags))
    const { out } = context
    out.answer(answer, () => {
      const verb = flags['dry-run'] ? 'would be' : 'are'
      out.line(
        `${counted(answer.granted, 'point')} ${verb} granted; the balance is ${grouped(answer.newBalance)}.`,
      )
      if (answer.dryRun) out.aside(nothingChanged)
    })
  },
})

export const awardsCancel: Command = command({
  words: 'awards cancel',
  what: 'cancel an award: the member does not receive its points',
  args: id,
  flags: changeFlags,
  examples: [{ line: 'exchequer awards cancel 17', what: 'the order was sent back' }],
  async run({ args, flags }, context) {
    const answer = await awardsOf(context).cancel(args.award, changeOptions(flags))
    const { out } = context
    out.answer(answer, () => {
      const verb = flags['dry-run'] ? 'would be' : 'are'
      out.line(`The promise of ${counted(answer.cancelled, 'point')} ${verb.replace('are', 'is')} cancelled.`)
      if (answer.dryRun) out.aside(nothingChanged)
    })
  },
})
