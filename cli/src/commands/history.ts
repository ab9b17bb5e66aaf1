import type { HistoryEntry, RankedMember } from '@exchequer/sdk'
import { type Command, type Context, command } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { grouped, timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { pointTypeFlag } from './change.ts'
import { listCount, listed, listFlags, showList } from './listing.ts'
import { countOf, dayOf, endOf, entryOf, memberOf, present } from './values.ts'

const columns: readonly Column[] = [
  { title: 'ENTRY', right: true, style: 'cyan' },
  { title: 'TIME' },
  { title: 'WHAT' },
  { title: 'POINTS', right: true },
  { title: 'BALANCE', right: true },
  { title: 'POINT TYPE' },
  { title: 'WITH' },
  { title: 'REASON', cut: true },
]

const signed = (tokens: number): string =>
  tokens === 0 ? '0' : `${tokens > 0 ? '+' : '−'}${grouped(Math.abs(tokens))}`

/** What an entry did, and its relation to another one. */
function whatOf({
  type,
  reverses,
  reversedBy,
}: Pick<HistoryEntry, 'type' | 'reverses' | 'reversedBy'>): string {
  if (reverses) return `reverses ${reverses}`
  return reversedBy ? `${type}, reversed` : type
}

const row = (one: HistoryEntry) => [
  one.transactionId,
  timeText(one.at),
  whatOf(one),
  one.tokens === 0 && one.heldTokens !== 0 ? `${signed(one.heldTokens)} held` : signed(one.tokens),
  one.newBalance,
  one.realmPointId,
  one.counterpartyId,
  one.reason ?? one.reference,
]

export const entriesList: Command = command({
  words: 'entries list',
  what: 'list a member’s entries, newest first',
  args: { member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' } },
  flags: {
    from: {
      value: 'TIME',
      what: 'from then on: a day of the realm, such as 2030-01-31, or a time, such as 2030-01-31T12:00Z',
    },
    to: { value: 'TIME', what: 'before then: the first day, or moment, that does not count' },
    direction: {
      value: 'WHICH',
      what: 'only those that raised the balance, or lowered it',
      choices: ['in', 'out'],
    },
    ...pointTypeFlag,
    ...listFlags,
  },
  examples: [
    { line: 'exchequer entries list 1190194345295482952', what: 'the last fifty' },
    {
      line: 'exchequer entries list 1190194345295482952 --from 2030-01-01 --direction out --all',
      what: 'all spending of a year',
    },
  ],
  async run({ args, flags }, context) {
    const { from, to, direction } = flags
    const wanted = present({
      from: endOf('--from', from),
      to: endOf('--to', to),
      direction: direction as 'in' | 'out' | undefined,
      realmPointId: flags['point-type'],
    })
    const entries = context.realm().member(memberOf(args.member)).history(wanted)
    showList(context, await listed(entries, flags), { columns, row, empty: 'There are no such entries.' })
  },
})

export const entriesShow: Command = command({
  words: 'entries show',
  what: 'show one entry: who, when, how much and why',
  args: { entry: { what: 'its id, as exchequer entries list shows it' } },
  examples: [{ line: 'exchequer entries show 17', what: 'with the balances after it' }],
  async run({ args }, { realm, out }) {
    const one = await realm().entry(entryOf(args.entry))
    out.answer(one, () =>
      out.record([
        ['entry', one.transactionId],
        ['time', one.at],
        ['what', whatOf(one)],
        ['points', one.tokens],
        ['point type', one.realmPointId],
        ['from', one.fromId ?? 'the realm'],
        ['balance after', one.fromBalance],
        ['to', one.toId ?? 'the realm'],
        ['balance after', one.toBalance],
        ['reason', one.reason],
        ['reference', one.reference],
        ['metadata', one.metadata === null ? null : JSON.stringify(one.metadata)],
        ['actor', one.actorId],
        ['key', one.keyId],
        ['reversed by', one.reversedBy],
        ['hash', one.hash],
      ]),
    )
  },
})

const boardFlags = {
  period: {
    value: 'WHICH',
    what: 'by points gained since Monday or the first of the month',
    choices: ['all', 'week', 'month'],
  },
  from: { value: 'DAY', what: 'by points gained from this day on' },
  to: { value: 'DAY', what: 'by points gained before this day, the first that does not count' },
  exclude: { value: 'MEMBER', what: 'leave a member out', many: true },
  ...pointTypeFlag,
} as const

type BoardFlags = {
  readonly period?: string
  readonly from?: string
  readonly to?: string
  readonly exclude?: readonly string[]
  readonly 'point-type'?: string
}

function boardOf({ from, to, period, exclude, ...flags }: BoardFlags) {
  if ((from === undefined) !== (to === undefined))
    throw wrongUsage('Give --from and --to together: both are days, such as 2030-01-31.')
  if (from !== undefined && period !== undefined)
    throw wrongUsage('Give either --period, or --from and --to.')
  const range = from !== undefined && to !== undefined
  return present({
    realmPointId: flags['point-type'],
    exclude: exclude?.map(memberOf),
    period: range ? ('range' as const) : (period as 'all' | 'week' | 'month' | undefined),
    from: range ? dayOf('--from', from) : undefined,
    to: range ? dayOf('--to', to) : undefined,
  })
}

/** Columns of a leaderboard by balance, or by points gained. */
function showRanked({ out }: Context, members: readonly RankedMember[], isGained: boolean): void {
  const ranked: Column[] = [
    { title: 'RANK', right: true },
    { title: 'ID', style: 'cyan' },
    { title: 'NAME', cut: true },
    ...(isGained ? [{ title: 'GAINED', right: true } as const] : []),
    { title: 'BALANCE', right: true },
  ]
  const rows = members.map((one) => [
    one.rank,
    one.id,
    one.username,
    ...(isGained ? [one.tokens] : []),
    one.balance,
  ])
  out.table(ranked, rows)
}

export const leaderboardShow: Command = command({
  words: 'leaderboard show',
  what: 'show who has the most points, or gained the most in a period',
  flags: { ...boardFlags, ...listFlags },
  examples: [
    { line: 'exchequer leaderboard show --limit 10', what: 'the top ten' },
    { line: 'exchequer leaderboard show --period week --limit 3', what: 'who gained most this week' },
    { line: 'exchequer leaderboard show --from 2030-01-01 --to 2030-02-01', what: 'in January' },
  ],
  async run({ flags }, context) {
    const { out } = context
    const count = listCount(flags)
    const list = context.realm().leaderboard(boardOf(flags))
    const limit = Math.min(1000, count)
    let board = await list.page({ limit })
    while (board.nextCursor !== null && board.data.length < count) {
      const next = await list.page({ limit, cursor: board.nextCursor })
      const data = [...board.data, ...next.data].slice(0, count)
      board = { ...next, data, members: data }
    }
    const { data, total, period } = board
    out.answer(board, () => {
      if (data.length === 0) out.aside('The leaderboard is empty.')
      else showRanked(context, data, period.name !== 'all')
    })
    if (total > data.length)
      out.aside(`${grouped(data.length)} of ${grouped(total)}. For more, give --limit N or --all.`)
  },
})

export const rankShow: Command = command({
  words: 'rank show',
  what: 'show a member’s rank on the leaderboard',
  args: { member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' } },
  flags: {
    neighbours: { value: 'N', what: 'how many members above and below to show, up to 50' },
    ...boardFlags,
  },
  examples: [
    { line: 'exchequer rank show 1190194345295482952', what: 'of all time' },
    {
      line: 'exchequer rank show 1190194345295482952 --period week --neighbours 2',
      what: 'this week, with two above and two below',
    },
  ],
  async run({ args, flags }, context) {
    const { neighbours, ...board } = flags
    const near = present({
      neighbours: neighbours === undefined ? undefined : countOf('--neighbours', neighbours, 0),
    })
    const answer = await context
      .realm()
      .member(memberOf(args.member))
      .rank({ ...boardOf(board), ...near })
    const { member, above, below, total, period } = answer
    context.out.answer(answer, () => {
      showRanked(context, [...above, member, ...below], period.name !== 'all')
      context.out.aside(
        member.rank === null
          ? `${member.id} is not ranked.`
          : `Rank ${grouped(member.rank)} of ${grouped(total)}.`,
      )
    })
  },
})
