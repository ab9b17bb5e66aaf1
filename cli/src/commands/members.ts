import { ForbiddenError, type ListedMember, type ProfileData } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Cell, Column } from '../table.ts'
import { countOf, memberOf, objectOf, present, take, yesOrNo } from './values.ts'

const listFlags = {
  limit: { value: 'N', what: 'how many at most; 50 unless given' },
  all: { what: 'all of them, however many' },
} as const

/** A column for each kind of points. */
function show({ out }: Context, members: readonly ListedMember[], more: boolean): void {
  const kinds = Object.keys(members[0]?.balances ?? {})
  const columns: Column[] = [
    { title: 'ID', style: 'cyan' },
    { title: 'NAME', cut: true },
    ...kinds.map((kind) => ({ title: kind, right: true }) as const),
    { title: 'JOINED' },
    { title: 'STATE' },
  ]
  const rows = members.map((one): Cell[] => [
    one.id,
    one.displayName ?? one.username,
    ...kinds.map((kind) => one.balances[kind]),
    timeText(one.joinedAt),
    [one.frozen ? 'frozen' : '', one.hidden ? 'hidden' : ''].filter(Boolean).join(', '),
  ])
  out.answer(members, () => {
    if (members.length === 0) out.aside('No member is like this.')
    else out.table(columns, rows)
    if (more) out.aside(`The first ${members.length}. More with --limit N or --all.`)
  })
}

type Listing = { readonly limit?: string; readonly all?: true }

async function list(context: Context, filter: { search?: string; wallet?: string }, { limit, all }: Listing) {
  const count = all ? Number.POSITIVE_INFINITY : countOf('--limit', limit, 50)
  const found = await take(context.realm().members.list(filter), count + 1)
  show(context, found.slice(0, count), found.length > count)
}

export const members: Command = command({
  words: 'members',
  what: 'list the realm’s members and what they have',
  flags: listFlags,
  examples: [
    { line: 'exchequer members', what: 'the first fifty' },
    { line: 'exchequer members --all --json', what: 'all of them, for a program' },
  ],
  run: ({ flags }, context) => list(context, {}, flags),
})

export const membersFind: Command = command({
  words: 'members find',
  what: 'find members by how a name begins, or by a wallet',
  args: { text: { what: 'the beginning of a username or display name, or a wallet with --wallet' } },
  flags: { wallet: { what: 'TEXT is a wallet’s address' }, ...listFlags },
  examples: [
    { line: 'exchequer members find ada', what: 'Ada, adamant, ADA_99' },
    {
      line: 'exchequer members find --wallet 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      what: 'whose it is',
    },
  ],
  run: ({ args: { text }, flags }, context) =>
    list(context, flags.wallet ? { wallet: text } : { search: text }, flags),
})

const member = { member: { what: 'the member’s id, in digits' } } as const

/** A member, with what managers keep of it where the key may read that. */
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
  what: 'show one member: names, balances, note and state',
  args: member,
  examples: [{ line: 'exchequer members show 1190194345295482952', what: 'one member' }],
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

export const membersSet: Command = command({
  words: 'members set',
  what: 'make a member, or change its names, note and state',
  more: 'What is not given stays as it is. An empty text takes away what is there.',
  args: member,
  flags: {
    username: { value: 'TEXT', what: 'its user name', mayBeEmpty: true },
    'display-name': { value: 'TEXT', what: 'the name that is shown', mayBeEmpty: true },
    note: { value: 'TEXT', what: 'a note for those who manage the realm', mayBeEmpty: true },
    metadata: { value: 'JSON', what: 'an object that is kept with it' },
    hidden: { value: 'YES', what: 'whether it is on no leaderboard', choices: ['yes', 'no'] },
  },
  examples: [
    {
      line: 'exchequer members set 1190194345295482952 --username ada --display-name "Ada L."',
      what: 'names',
    },
    { line: 'exchequer members set 1190194345295482952 --hidden yes', what: 'on no leaderboard' },
  ],
  async run({ args, flags }, context) {
    const { username, note, metadata, hidden } = flags
    const change = present({
      username,
      note,
      displayName: flags['display-name'],
      metadata: metadata === undefined ? undefined : objectOf('--metadata', metadata),
      hidden: yesOrNo(hidden),
    })
    showProfile(context, await context.realm().member(memberOf(args.member)).put(change))
  },
})

const freezing = (words: string, frozen: boolean, what: string): Command =>
  command({
    words,
    what,
    args: member,
    examples: [{ line: `exchequer ${words} 1190194345295482952`, what: 'from the next change on' }],
    async run({ args }, { realm, out }) {
      const answer = await realm().member(memberOf(args.member)).put({ frozen })
      out.answer(answer, () =>
        out.line(
          frozen ? `${answer.id} is frozen: nothing of it can be spent.` : `${answer.id} can spend again.`,
        ),
      )
    },
  })

export const membersFreeze = freezing(
  'members freeze',
  true,
  'let nothing of a member be spent; it can still receive',
)
export const membersUnfreeze = freezing('members unfreeze', false, 'let a frozen member spend again')

export const membersRemove: Command = command({
  words: 'members remove',
  what: 'remove a member without points; its entries stay in the journal',
  more: 'Its wallets are unlinked. The id can join again, as a new account.',
  args: member,
  flags: yesFlag,
  examples: [{ line: 'exchequer members remove 1190194345295482952', what: 'asks first' }],
  async run({ args, flags }, { realm, out, terminal }) {
    const id = memberOf(args.member)
    await confirm(terminal, `Member ${id} is removed. This can't be undone.`, flags.yes)
    await realm().member(id).remove()
    out.answer({ id }, () => out.line(`${id} is removed.`))
  },
})

export const membersErase: Command = command({
  words: 'members erase',
  what: 'forget a person: id, names, wallets, and what was written of it in entries',
  more:
    'Only without points. Amounts stay under a number that belongs to nobody, and the journal still ' +
    'verifies.',
  args: member,
  flags: yesFlag,
  examples: [
    { line: 'exchequer members erase 1190194345295482952 --yes', what: 'in a script: does not ask' },
  ],
  async run({ args, flags }, { realm, out, terminal }) {
    const id = memberOf(args.member)
    await confirm(
      terminal,
      `All that tells who ${id} was is erased for good. This can't be undone.`,
      flags.yes,
    )
    const answer = await realm().member(id).erase()
    out.answer(answer, () => {
      const details =
        answer.details === undefined
          ? ''
          : ` What was said of ${counted(answer.details, 'entry', 'entries')} is gone.`
      out.line(`${id} is erased.${details}`)
    })
  },
})
