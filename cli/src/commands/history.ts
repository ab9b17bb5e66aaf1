import type { HistoryEntry } from '@exchequer/sdk'
import { type Command, command } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { grouped, timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { kindFlag } from './change.ts'
import { countOf, dayOf, entryOf, memberOf, momentOf, present, take } from './values.ts'

const columns: readonly Column[] = [
  { title: 'ENTRY', right: true, style: 'cyan' },
  { title: 'TIME' },
  { title: 'WHAT' },
  { title: 'POINTS', right: true },
  { title: 'BALANCE', right: true },
  { title: 'KIND' },
  { title: 'WITH' },
  { title: 'REASON', cut: true },
]

const signed = (tokens: number): string =>
  tokens === 0 ? '0' : `${tokens > 0 ? '+' : '−'}${grouped(Math.abs(tokens))}`

/** What an entry did, and what it has to do with another one. */
function whatOf({
  kind,
  reverses,
  reversedBy,
}: Pick<HistoryEntry, 'kind' | 'reverses' | 'reversedBy'>): string {
  if (reverses) return `undoes ${reverses}`
  return reversedBy ? `${kind}, undone` : kind
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

export const history: Command = command({
  words: 'history',
  what: 'what happened to a member’s points, the newest first',
  args: { member: { what: 'the member’s id, in digits' } },
  flags: {
    limit: { value: 'N', what: 'how many at most; 20 unless given' },
    all: { what: 'all of them, however many' },
    from: { value: 'TIME', what: 'from then on, such as 2030-01-31 or 2030-01-31T12:00Z' },
    until: { value: 'TIME', what: 'before then' },
    direction: {
      value: 'WHICH',
      what: 'only what raised the balance, or lowered it',
      choices: ['in', 'out'],
    },
    ...kindFlag,
  },
  examples: [
    { line: 'exchequer history 1190194345295482952', what: 'the last twenty' },
    {
      line: 'exchequer history 1190194345295482952 --from 2030-01-01 --direction out --all',
      what: 'spent this year',
    },
  ],
  async run({ args, flags }, { realm, out }) {
    const { from, until, kind, direction } = flags
    const count = flags.all ? Number.POSITIVE_INFINITY : countOf('--limit', flags.limit, 20)
    const wanted = present({
      from: from === undefined ? undefined : momentOf('--from', from),
      until: until === undefined ? undefined : momentOf('--until', until),
      direction: direction as 'in' | 'out' | undefined,
      realmPointId: kind,
    })
    const found = await take(realm().member(memberOf(args.member)).history(wanted), count + 1)
    const entries = found.slice(0, count)
    out.answer(entries, () => {
      if (entries.length === 0) out.aside('No entry is like this.')
      else out.table(columns, entries.map(row))
      if (found.length > count) out.aside(`The last ${count}. More with --limit N or --all.`)
    })
  },
})

export const entry: Command = command({
  words: 'entry',
  what: 'show one entry of the journal',
  args: { transaction: { what: 'its number, as exchequer history shows it' } },
  examples: [{ line: 'exchequer entry 17', what: 'who, when, how much and why' }],
  async run({ args }, { realm, out }) {
    const one = await realm().entry(entryOf(args.transaction))
    out.answer(one, () =>
      out.record([
        ['entry', one.transactionId],
        ['time', one.at],
        ['what', whatOf(one)],
        ['points', one.tokens],
        ['kind', one.realmPointId],
        ['from', one.fromId ?? 'the realm'],
        ['balance then', one.fromBalance],
        ['to', one.toId ?? 'the realm'],
        ['balance then', one.toBalance],
        ['reason', one.reason],
        ['reference', one.reference],
        ['metadata', one.metadata === null ? null : JSON.stringify(one.metadata)],
        ['actor', one.actorId],
        ['key', one.keyId],
        ['undone by', one.reversedBy],
        ['hash', one.hash],
      ]),
    )
  },
})

export const leaderboard: Command = command({
  words: 'leaderboard',
  what: 'who has most, or gained most in a period',
  flags: {
    period: {
      value: 'WHICH',
      what: 'gained since Monday or the first of the month',
      choices: ['all', 'week', 'month'],
    },
    from: { value: 'DAY', what: 'gained from this day on' },
    to: { value: 'DAY', what: 'gained up to this day' },
    limit: { value: 'N', what: 'how many at most; 10 unless given' },
    exclude: { value: 'MEMBER', what: 'leave a member out', many: true },
    ...kindFlag,
  },
  examples: [
    { line: 'exchequer leaderboard', what: 'the ten who have most' },
    { line: 'exchequer leaderboard --period week --limit 3', what: 'who gained most this week' },
    { line: 'exchequer leaderboard --from 2030-01-01 --to 2030-01-31', what: 'in these days' },
  ],
  async run({ flags }, { realm, out }) {
    const { from, to, period, kind, exclude } = flags
    if ((from === undefined) !== (to === undefined))
      throw wrongUsage('--from and --to belong together: both are days, such as 2030-01-31.')
    if (from !== undefined && period !== undefined) throw wrongUsage('Either --period, or --from and --to.')
    const range = from !== undefined && to !== undefined
    const wanted = present({
      realmPointId: kind,
      exclude: exclude?.map(memberOf),
      period: range ? ('range' as const) : (period as 'all' | 'week' | 'month' | undefined),
      from: range ? dayOf('--from', from) : undefined,
      to: range ? dayOf('--to', to) : undefined,
    })
    const limit = Math.min(1000, countOf('--limit', flags.limit, 10))
    const board = await realm().leaderboard(wanted).page({ limit })
    const gained = board.period.name !== 'all'
    const ranked: Column[] = [
      { title: 'RANK', right: true },
      { title: 'ID', style: 'cyan' },
      { title: 'NAME', cut: true },
      ...(gained ? [{ title: 'GAINED', right: true } as const] : []),
      { title: 'BALANCE', right: true },
    ]
    const rows = board.data.map((one) => [
      one.rank,
      one.id,
      one.username,
      ...(gained ? [one.tokens] : []),
      one.balance,
    ])
    out.answer(board, () => {
      if (rows.length === 0) out.aside('Nobody is on it yet.')
      else out.table(ranked, rows)
      if (board.total > rows.length)
        out.aside(`${rows.length} of ${grouped(board.total)}. More with --limit N.`)
    })
  },
})
