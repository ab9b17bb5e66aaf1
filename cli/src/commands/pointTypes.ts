import type { PointData } from '@exchequer/sdk'
import { type Command, type Context, command, type Flags } from '../command.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { boundOf, present, yesOrNo } from './values.ts'

const columns: readonly Column[] = [
  { title: 'POINT TYPE', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'EMOJI' },
  { title: 'DEFAULT' },
  { title: 'TRANSFERABLE' },
  { title: 'MAX BALANCE', right: true },
  { title: 'PER TRANSFER', right: true },
  { title: 'PER DAY', right: true },
  { title: 'ARCHIVED' },
]

const row = (one: PointData) => [
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

function show({ out }: Context, one: PointData): void {
  out.answer(one, () => out.table(columns, [row(one)]))
}

export const pointTypesList: Command = command({
  words: 'point-types list',
  what: 'list the realm’s point types and their rules',
  flags: listFlags,
  examples: [{ line: 'exchequer point-types list', what: 'archived ones too' }],
  async run({ flags }, context) {
    const list = await listed(context.realm().points.list(), flags)
    showList(context, list, { columns, row, empty: 'There are no point types.' })
  },
})

const id = { pointType: { what: 'the point type’s id' } } as const

export const pointTypesShow: Command = command({
  words: 'point-types show',
  what: 'show one point type and its rules',
  args: id,
  examples: [{ line: 'exchequer point-types show gold', what: 'name, limits and state' }],
  async run({ args }, context) {
    show(context, await context.realm().points.get(args.pointType))
  },
})

const ruleFlags = {
  name: { value: 'TEXT', what: 'its name' },
  emoji: { value: 'TEXT', what: 'an emoji, or the name of one' },
  'max-balance': { value: 'N', what: 'the most that a member can have, or none' },
  'max-per-transfer': { value: 'N', what: 'the most in one transfer, or none' },
  'max-per-day': { value: 'N', what: 'the most that a member can transfer in a day, or none' },
  transferable: { value: 'YES', what: 'whether members can transfer it', choices: ['yes', 'no'] },
} as const satisfies Flags

type Rules = {
  readonly name?: string
  readonly emoji?: string
  readonly 'max-balance'?: string
  readonly 'max-per-transfer'?: string
  readonly 'max-per-day'?: string
  readonly transferable?: string
}

function rulesOf({ name, emoji, transferable, ...rest }: Rules) {
  return present({
    name,
    emoji,
    maxBalance: boundOf(rest['max-balance']),
    maxPerTransfer: boundOf(rest['max-per-transfer']),
    maxPerDay: boundOf(rest['max-per-day']),
    transferable: yesOrNo(transferable),
  })
}

export const pointTypesCreate: Command = command({
  words: 'point-types create',
  what: 'create a point type',
  args: { pointType: { what: 'its id: a letter, then letters, digits, _ or -; or 24 hex digits' } },
  flags: { ...ruleFlags, ...idempotencyFlag },
  examples: [
    { line: 'exchequer point-types create silver --name Silver --max-per-day 100', what: 'with a limit' },
  ],
  async run({ args, flags }, context) {
    show(
      context,
      await context.realm().points.create({ id: args.pointType, ...rulesOf(flags) }, onceOf(flags)),
    )
  },
})

export const pointTypesUpdate: Command = command({
  words: 'point-types update',
  what: 'change a point type’s name and rules, archive it, or make it the default',
  args: id,
  flags: {
    ...ruleFlags,
    archived: { value: 'YES', what: 'whether it is hidden; balances are kept', choices: ['yes', 'no'] },
    default: { what: 'use it where a request names no point type' },
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer point-types update silver --max-per-day none', what: 'remove a limit' },
    { line: 'exchequer point-types update silver --archived yes', what: 'hide it; balances are kept' },
  ],
  async run({ args, flags }, context) {
    const change = present({ archived: yesOrNo(flags.archived), default: flags.default })
    const { points } = context.realm()
    show(context, await points.change(args.pointType, { ...rulesOf(flags), ...change }, onceOf(flags)))
  },
})
