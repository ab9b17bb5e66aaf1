import type { CaptureResult, HoldData, ReleaseResult } from '@exchequer/sdk'
import { type Command, type Context, command } from '../command.ts'
import { counted, grouped, timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { changeFlags, changeOptions, nothingChanged, pointTypeFlag } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { expiryFlags, expiryOf, memberOf, present, tokensOf } from './values.ts'

const columns: readonly Column[] = [
  { title: 'HOLD', style: 'cyan' },
  { title: 'MEMBER' },
  { title: 'POINTS', right: true },
  { title: 'POINT TYPE' },
  { title: 'EXPIRES' },
]

const row = (one: HoldData) => [
  one.holdId,
  one.memberId,
  one.tokens,
  one.realmPointId,
  timeText(one.expiresAt),
]

export const holdsList: Command = command({
  words: 'holds list',
  what: 'list open holds, newest first',
  flags: { member: { value: 'MEMBER', what: 'only those of this member' }, ...listFlags },
  examples: [
    { line: 'exchequer holds list', what: 'of all members' },
    { line: 'exchequer holds list --member 1190194345295482952', what: 'of one member' },
  ],
  async run({ flags }, context) {
    const { member } = flags
    const realm = context.realm()
    const holds = member === undefined ? realm.holds() : realm.member(memberOf(member)).holds()
    showList(context, await listed(holds, flags), { columns, row, empty: 'There are no open holds.' })
  },
})

const id = { hold: { what: 'the hold’s id, as exchequer holds list shows it' } } as const

export const holdsShow: Command = command({
  words: 'holds show',
  what: 'show one hold, and whether it is still open',
  args: id,
  examples: [{ line: 'exchequer holds show 17', what: 'its points, expiry and status' }],
  async run({ args }, { realm, out }) {
    const one = await realm().hold(args.hold).get()
    out.answer(one, () =>
      out.record([
        ['hold', one.holdId],
        ['status', one.status],
        ['member', one.memberId],
        ['points', one.tokens],
        ['point type', one.realmPointId],
        ['expires', timeText(one.expiresAt)],
        ['ended by entry', one.endedBy],
      ]),
    )
  },
})

export const holdsCreate: Command = command({
  words: 'holds create',
  what: 'reserve points of a member until they are captured or released',
  more: 'When the hold expires, the member can spend the points again. By default it lasts 15 minutes.',
  args: {
    member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' },
    tokens: { what: 'how many points, a whole number above 0' },
  },
  flags: { ...expiryFlags, ...pointTypeFlag, ...changeFlags },
  examples: [
    {
      line: 'exchequer holds create 1190194345295482952 40 --expires-in 600 --reference order-17',
      what: 'reserve 40 points for ten minutes',
    },
  ],
  async run({ args, flags }, { realm, out }) {
    const [member, tokens] = [memberOf(args.member), tokensOf(args.tokens)]
    const wanted = { ...changeOptions(flags), ...expiryOf(flags) }
    const { data } = await realm().member(member).hold(tokens, wanted)
    out.answer(data, () => {
      const now = flags['dry-run'] ? 'would have' : 'has'
      out.line(
        `${member} ${now} ${counted(data.newBalance, 'point')} left, ${counted(tokens, 'point')} held.`,
      )
      out.aside(
        flags['dry-run']
          ? nothingChanged
          : `Hold ${data.holdId}, until ${timeText(data.expiresAt)}. ` +
              `To charge it: exchequer holds capture ${data.holdId}`,
      )
    })
  },
})

/** The result of ending a hold. */
function showEnd({ out }: Context, answer: CaptureResult | ReleaseResult, words: string): void {
  out.answer(answer, () => {
    out.line(`${words}; the balance is ${grouped(answer.newBalance)}.`)
    if (answer.dryRun) out.aside(nothingChanged)
  })
}

export const holdsCapture: Command = command({
  words: 'holds capture',
  what: 'capture a hold, or a part of it; the rest is released',
  args: id,
  flags: {
    tokens: { value: 'N', what: 'how many of the points; all of them if omitted' },
    ...changeFlags,
  },
  examples: [
    { line: 'exchequer holds capture 17', what: 'charge all of it' },
    { line: 'exchequer holds capture 17 --tokens 30', what: 'charge 30, release the rest' },
  ],
  async run({ args, flags }, context) {
    const { tokens, ...details } = flags
    const part = present({ tokens: tokens === undefined ? undefined : tokensOf(tokens) })
    const answer = await context
      .realm()
      .hold(args.hold)
      .capture({ ...changeOptions(details), ...part })
    const verb = flags['dry-run'] ? 'would be' : 'are'
    showEnd(context, answer, `${counted(answer.captured, 'point')} ${verb} charged`)
  },
})

export const holdsRelease: Command = command({
  words: 'holds release',
  what: 'release a hold: the member can spend the points again',
  args: id,
  flags: changeFlags,
  examples: [{ line: 'exchequer holds release 17', what: 'the order was cancelled' }],
  async run({ args, flags }, context) {
    const answer = await context.realm().hold(args.hold).release(changeOptions(flags))
    const verb = flags['dry-run'] ? 'would be' : 'are'
    showEnd(context, answer, `${counted(answer.released, 'point')} ${verb} released`)
  },
})
