import { type Command, type Context, command } from '../command.ts'
import { counted, grouped } from '../output.ts'
import { changeFlags, changeOptions, nothingChanged, pointTypeFlag } from './change.ts'
import { memberInBody, memberOf, tokensOf } from './values.ts'

type Change = {
  readonly member: string
  readonly tokens: number
  readonly flags: Parameters<typeof changeOptions>[0]
}

/** Printed after the balance: the entry, and how to reverse it. */
const afterwards = (transactionId: string, isDry: true | undefined): string =>
  isDry ? nothingChanged : `Entry ${transactionId}. To reverse it: exchequer entries reverse ${transactionId}`

async function change({ realm, out }: Context, { member, tokens, flags }: Change): Promise<void> {
  const answer = await realm().member(member).adjust(tokens, changeOptions(flags))
  out.answer(answer, () => {
    const sign = tokens > 0 ? '+' : '−'
    const now = flags['dry-run'] ? 'would have' : 'has'
    out.line(`${member} ${now} ${counted(answer.newBalance, 'point')} (${sign}${grouped(Math.abs(tokens))}).`)
    out.aside(afterwards(answer.transactionId, flags['dry-run']))
  })
}

const args = {
  member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' },
  tokens: { what: 'how many points, a whole number above 0' },
} as const

export const pointsAward: Command = command({
  words: 'points award',
  what: 'award points to a member',
  args,
  flags: { ...pointTypeFlag, ...changeFlags },
  examples: [
    {
      line: 'exchequer points award 1190194345295482952 25 --reason "won the quiz"',
      what: 'award 25 points',
    },
    {
      line: 'exchequer points award 1190194345295482952 25 --idempotency-key quiz-17',
      what: 'in a script: run twice, awarded once',
    },
  ],
  run: ({ args: { member, tokens }, flags }, context) =>
    change(context, { member: memberOf(member), tokens: tokensOf(tokens), flags }),
})

export const pointsDeduct: Command = command({
  words: 'points deduct',
  what: 'deduct points from a member, as when they are spent',
  args,
  flags: { ...pointTypeFlag, ...changeFlags },
  examples: [
    { line: 'exchequer points deduct 1190194345295482952 10 --reason "a mug"', what: 'spend 10 points' },
  ],
  run: ({ args: { member, tokens }, flags }, context) =>
    change(context, { member: memberOf(member), tokens: -tokensOf(tokens), flags }),
})

export const pointsTransfer: Command = command({
  words: 'points transfer',
  what: 'transfer points from one member to another: both change or neither',
  args: {
    from: { what: 'the id of the member who gives' },
    to: { what: 'the id of the member who receives' },
    tokens: { what: 'how many points, a whole number above 0' },
  },
  flags: { ...pointTypeFlag, ...changeFlags },
  examples: [
    {
      line: 'exchequer points transfer 1190194345295482952 1190194345295482953 5 --reason thanks',
      what: 'five points',
    },
  ],
  async run({ args: given, flags }, { realm, out }) {
    const [from, to, tokens] = [memberOf(given.from), memberInBody(given.to), tokensOf(given.tokens)]
    const answer = await realm().member(from).transfer(to, tokens, changeOptions(flags))
    out.answer(answer, () => {
      const now = flags['dry-run'] ? 'would have' : 'has'
      const [giver, receiver] = [answer.newBalance, answer.recipientBalance].map((one) =>
        counted(one, 'point'),
      )
      out.line(`${from} ${now} ${giver}, ${to} ${receiver}.`)
      out.aside(afterwards(answer.transactionId, flags['dry-run']))
    })
  },
})
