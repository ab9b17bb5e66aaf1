import {
  ForbiddenError,
  type ListedMember,
  MovedError,
  type ProfileData,
  type PutOptions,
} from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { Stop, wrongUsage } from '../exits.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Cell, Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { memberOf, objectOf, present, yesOrNo } from './values.ts'

/** A column for each point type. */
function listShape(members: readonly ListedMember[]) {
  const types = Object.keys(members[0]?.balances ?? {})
  const columns: Column[] = [
    { title: 'ID', style: 'cyan' },
    { title: 'NAME', cut: true },
    ...types.map((type) => ({ title: type, right: true }) as const),
    { title: 'JOINED' },
    { title: 'STATE' },
  ]
  const row = (one: ListedMember): Cell[] => [
    one.id,
    one.displayName ?? one.username,
    ...types.map((type) => one.balances[type]),
    timeText(one.joinedAt),
    [one.frozen ? 'frozen' : '', one.hidden ? 'hidden' : ''].filter(Boolean).join(', '),
  ]
  return { columns, row, empty: 'No member matches.' }
}

export const membersList: Command = command({
  words: 'members list',
  what: 'list members and their balances',
  flags: {
    search: { value: 'TEXT', what: 'with it in their username or display name' },
    wallet: { value: 'ADDRESS', what: 'who has this wallet' },
    ...listFlags,
  },
  examples: [
    { line: 'exchequer members list', what: 'the first fifty' },
    { line: 'exchequer members list --search ada', what: 'Ada, adamant, Pixel Ada' },
    { line: 'exchequer members list --all --json', what: 'all of them, for a program' },
  ],
  async run({ flags }, context) {
    const { search, wallet } = flags
    const list = await listed(context.realm().members.list(present({ search, wallet })), flags)
    showList(context, list, listShape(list.items))
  },
})

const member = { member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' } } as const

/** A member, with note and metadata if the key's scopes allow it. */
type Shown = Omit<ProfileData, 'note' | 'metadata'> & Partial<Pick<ProfileData, 'note' | 'metadata'>>

function showProfile({ out }: Context, one: Shown): void {
  const held = Object.entries(one.held).filter(([, tokens]) => tokens > 0)
  out.answer(one, () =>
    out.record([
      ['id', one.id],
      ['username', one.username],
      ['display name', one.displayName],
      ...Object.entries(one.balances).map(([kind, tokens]) => [kind, tokens] as const),
      ...held.map(([kind, tokens]) => [`${kind} held`, tokens] as const),
      ['joined', timeText(one.joinedAt)],
      ['last change', timeText(one.updatedAt)],
      ['frozen', one.frozen],
      ['hidden', one.hidden],
      ['note', one.note],
      ['metadata', one.metadata ? JSON.stringify(one.metadata) : null],
    ]),
  )
}

export const membersShow: Command = command({
  words: 'members show',
  what: 'show one member: names, balances, holds, note and state',
  args: member,
  examples: [{ line: 'exchequer members show 1190194345295482952', what: 'with all balances' }],
  async run({ args }, context) {
    const member = context.realm().member(memberOf(args.member))
    try {
      showProfile(context, await member.profile())
    } catch (error) {
      if (!(error instanceof ForbiddenError) || error.code !== 'insufficient_scope') throw error
      const { etag: _, ...shown } = await member.get()
      showProfile(context, shown)
      context.out.aside('Note and metadata are not shown: the key lacks the scope members:write.')
    }
  },
})

const fieldFlags = {
  username: { value: 'TEXT', what: 'the username', mayBeEmpty: true },
  'display-name': { value: 'TEXT', what: 'the name that is shown', mayBeEmpty: true },
  note: { value: 'TEXT', what: 'a note for those who manage the realm', mayBeEmpty: true },
  metadata: { value: 'JSON', what: 'a JSON object; kept with the member' },
  frozen: { value: 'YES', what: 'whether the member can’t spend points', choices: ['yes', 'no'] },
  hidden: { value: 'YES', what: 'whether the member is hidden from leaderboards', choices: ['yes', 'no'] },
} as const

type Fields = {
  readonly username?: string
  readonly 'display-name'?: string
  readonly note?: string
  readonly metadata?: string
  readonly frozen?: string
  readonly hidden?: string
}

const fieldsOf = ({ username, note, metadata, frozen, hidden, ...flags }: Fields) =>
  present({
    username,
    note,
    displayName: flags['display-name'],
    metadata: metadata === undefined ? undefined : objectOf('--metadata', metadata),
    frozen: yesOrNo(frozen),
    hidden: yesOrNo(hidden),
  })

/** The server checks the precondition; the error names the command to use instead. */
async function put(context: Context, id: string, change: Put): Promise<void> {
  try {
    showProfile(context, await context.realm().member(id).put(change.fields, change.options))
  } catch (error) {
    if (!(error instanceof MovedError)) throw error
    throw new Stop('refused', `Member ${id} ${change.otherwise} ${id}`)
  }
}

type Put = {
  readonly fields: ReturnType<typeof fieldsOf>
  readonly options: PutOptions
  readonly otherwise: string
}

export const membersCreate: Command = command({
  words: 'members create',
  what: 'create a member',
  more: 'For many members at once: exchequer import',
  args: member,
  flags: { ...fieldFlags, ...idempotencyFlag },
  examples: [
    {
      line: 'exchequer members create 1190194345295482952 --username ada --display-name "Ada L."',
      what: 'with names',
    },
  ],
  run: ({ args, flags }, context) =>
    put(context, memberOf(args.member), {
      fields: fieldsOf(flags),
      options: { ...onceOf(flags), ifNoneMatch: '*' },
      otherwise: 'already exists. To change it: exchequer members update',
    }),
})

export const membersUpdate: Command = command({
  words: 'members update',
  what: 'change a member’s names, note and state',
  more: 'What is not given stays as it is. An empty text clears what is there.',
  args: member,
  flags: { ...fieldFlags, ...idempotencyFlag },
  examples: [
    { line: 'exchequer members update 1190194345295482952 --frozen yes', what: 'can receive, not spend' },
    { line: 'exchequer members update 1190194345295482952 --note ""', what: 'clear the note' },
  ],
  async run({ args, flags }, context) {
    const fields = fieldsOf(flags)
    if (Object.keys(fields).length === 0)
      throw wrongUsage('Nothing to change. See: exchequer members update --help')
    await put(context, memberOf(args.member), {
      fields,
      options: { ...onceOf(flags), ifMatch: '*' },
      otherwise: 'does not exist. To create it: exchequer members create',
    })
  },
})

export const membersDelete: Command = command({
  words: 'members delete',
  what: 'delete a member who has no points; the journal keeps the entries',
  more: 'Their wallets are unlinked. The same id can join again, as a new account.',
  args: member,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer members delete 1190194345295482952', what: 'asks first' }],
  async run({ args, flags }, { realm, out, terminal }) {
    const id = memberOf(args.member)
    await confirm(terminal, `Member ${id} will be deleted. This can't be undone.`, flags.yes)
    await realm().member(id).remove(onceOf(flags))
    out.answer({ id }, () => out.line(`${id} is deleted.`))
  },
})

export const membersErase: Command = command({
  words: 'members erase',
  what: 'erase a member’s personal data: id, names, wallets and texts of entries',
  more:
    'The member must have no points. The amounts stay, under a number that leads to no person, and the ' +
    'journal can still be verified.',
  args: member,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [
    { line: 'exchequer members erase 1190194345295482952 --yes', what: 'in a script: does not ask' },
  ],
  async run({ args, flags }, { realm, out, terminal }) {
    const id = memberOf(args.member)
    const what = `The personal data of member ${id} will be erased. This can't be undone.`
    await confirm(terminal, what, flags.yes)
    const answer = await realm().member(id).erase(onceOf(flags))
    out.answer(answer, () => {
      const details =
        answer.details === undefined
          ? ''
          : ` The texts of ${counted(answer.details, 'entry', 'entries')} are gone.`
      out.line(`${id} is erased.${details}`)
    })
  },
})
