import { type MergeData, type MergeResult, Merges, type UndoneMerge } from '@exchequer/sdk/merges'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { memberOf } from './values.ts'

const merge = { merge: { what: 'the merge’s number' } } as const
const dryFlag = { 'dry-run': { what: 'show what would happen, and change nothing' } } as const

const mergesOf = ({ realm }: Context): Merges => new Merges(realm())

const columns: readonly Column[] = [
  { title: 'MERGE', style: 'cyan' },
  { title: 'MEMBER' },
  { title: 'WAS' },
  { title: 'MERGED' },
  { title: 'UNDONE' },
]
const row = (one: MergeData) => [
  one.number,
  one.memberId ?? '',
  one.mergedId ?? '',
  timeText(one.mergedAt),
  one.undone ? 'yes' : '',
]

const pointColumns: readonly Column[] = [
  { title: 'POINT TYPE', style: 'cyan' },
  { title: 'TOKENS', right: true },
  { title: 'NEW BALANCE', right: true },
]

function show({ out }: Context, result: MergeResult | UndoneMerge, text: string): void {
  const points = result.points.map((one) => [one.realmPointId, String(one.tokens), String(one.newBalance)])
  out.answer(result, () => {
    out.line(text)
    if (points.length > 0) out.table(pointColumns, points)
  })
}

export const mergesList: Command = command({
  words: 'merges list',
  what: 'list merges of members, the latest first',
  flags: { member: { value: 'ID', what: 'only those of this member' }, ...listFlags },
  examples: [{ line: 'exchequer merges list --member 1190194345295482952', what: 'with its old ids' }],
  async run({ flags }, context) {
    const options = flags.member === undefined ? {} : { memberId: memberOf(flags.member) }
    const list = await listed(mergesOf(context).list(options), flags)
    showList(context, list, { columns, row, empty: 'No members were merged.' })
  },
})

export const mergesCreate: Command = command({
  words: 'merges create',
  what: 'merge a member into another one, which gets all that it has',
  args: {
    member: { what: 'the member that stays: its id in digits, or an identity' },
    from: { what: 'the member that is merged into it' },
  },
  flags: {
    force: { what: 'merge two members that have both joined' },
    ...dryFlag,
    ...idempotencyFlag,
    ...yesFlag,
  },
  examples: [{ line: 'exchequer merges create 1190194345295482952 twitch:ada --dry-run', what: 'a preview' }],
  async run({ args, flags }, context) {
    const [member, from] = [memberOf(args.member), memberOf(args.from)]
    const dryRun = flags['dry-run'] === true
    const options = { dryRun, ...(flags.force ? { force: true } : {}), ...onceOf(flags) }
    if (!dryRun) await confirm(context.terminal, `${from} will be merged into ${member}.`, flags.yes)
    const result = await mergesOf(context).merge(member, from, options)
    const text = dryRun ? `${from} would be merged into ${member}.` : `${from} is merged into ${member}.`
    show(context, result, text)
  },
})

export const mergesUndo: Command = command({
  words: 'merges undo',
  what: 'undo a merge: the member is there again, with its points',
  args: merge,
  flags: { ...dryFlag, ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer merges undo 3 --dry-run', what: 'a preview' }],
  async run({ args, flags }, context) {
    const dryRun = flags['dry-run'] === true
    if (!dryRun) await confirm(context.terminal, `Merge ${args.merge} will be undone.`, flags.yes)
    const result = await mergesOf(context).undo(args.merge, { dryRun, ...onceOf(flags) })
    show(context, result, `Merge ${args.merge} ${dryRun ? 'can be' : 'is'} undone.`)
  },
})
