import type { OperatorData, OperatorInvitation } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { showSecret } from './secret.ts'
import { present } from './values.ts'

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'E-MAIL', cut: true },
  { title: 'LAST SEEN' },
]
const row = (one: OperatorData) => [
  one.id,
  one.name ?? `Person ${one.id}`,
  one.email,
  timeText(one.lastSeenAt),
]

export const operatorsList: Command = command({
  words: 'operators list',
  what: 'list the operators who sign in to the console',
  flags: listFlags,
  examples: [{ line: 'exchequer operators list', what: 'and when they were last seen' }],
  async run({ flags }, context) {
    const list = await listed(context.operator().people.list(), flags)
    showList(context, list, { columns, row, empty: 'There are no operators yet.' })
  },
})

const personId = {
  person: { what: 'the person’s id, as exchequer operators list or people list shows it' },
} as const

export const operatorsShow: Command = command({
  words: 'operators show',
  what: 'show one operator, or a person of any realm',
  args: personId,
  examples: [{ line: 'exchequer operators show 4', what: 'one person' }],
  async run({ args }, { operator, out }) {
    const one = await operator().people.get(args.person)
    out.answer(one, () => out.table(columns, [row(one)]))
  },
})

type Link = { readonly link: string; readonly expiresAt: string }

/** Only the link goes to stdout, so that it can be piped. */
function showLink(context: Context, made: Link, { whose, lost }: { whose: string; lost: string }): void {
  showSecret(context, made, {
    secret: made.link,
    what: 'the link',
    lost,
    aside: `${whose} The link works once, until ${timeText(made.expiresAt)}.`,
  })
}

export const operatorsLink: Command = command({
  words: 'operators link',
  what: 'create a link with which any person signs in again; it works once, for a day',
  args: personId,
  flags: idempotencyFlag,
  examples: [{ line: 'exchequer operators link 4', what: 'prints the link' }],
  async run({ args, flags }, context) {
    const made = await context.operator().people.link(args.person, onceOf(flags))
    const lost = 'If you do not have it, run the command without that key.'
    showLink(context, made, { whose: `For person ${args.person}.`, lost })
  },
})

export const operatorsErase: Command = command({
  words: 'operators erase',
  what: 'erase a person in all realms: name, address and every way to sign in',
  more: 'Lists the keys and tokens that they created and that still work.',
  args: personId,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer operators erase 4', what: 'asks first' }],
  async run({ args, flags }, { operator, out, terminal }) {
    await confirm(terminal, `Person ${args.person} will be erased. This can't be undone.`, flags.yes)
    const { people } = operator()
    await people.forget(args.person, onceOf(flags))
    const left = await people.issued(args.person)
    const { keys, tokens } = left
    out.answer(left, () => {
      out.line(`Person ${args.person} is erased.`)
      if (keys.length + tokens.length === 0) return
      out.aside(`${counted(keys.length, 'key')} and ${counted(tokens.length, 'token')} still work:`)
      for (const { id, name, realmId } of keys) out.aside(`  key ${id} (${name}) of realm ${realmId}`)
      for (const { id, name } of tokens) out.aside(`  token ${id} (${name})`)
    })
  },
})

export const operatorInvitationsCreate: Command = command({
  words: 'operator-invitations create',
  what: 'invite an operator: creates a link that signs them in once',
  args: { name: { what: 'their name' } },
  flags: {
    email: { value: 'ADDRESS', what: 'their e-mail address, for the OpenID provider' },
    ...idempotencyFlag,
  },
  examples: [{ line: 'exchequer operator-invitations create Olga', what: 'prints the link' }],
  async run({ args, flags }, context) {
    const wanted = { name: args.name, ...present({ email: flags.email }) }
    const made = await context.operator().people.invite(wanted, onceOf(flags))
    const lost = `If you do not have it, create another and: exchequer operator-invitations delete ${made.id}`
    showLink(context, made, { whose: `Invitation ${made.id}.`, lost })
  },
})

const invitationColumns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'EXPIRES' },
]
const invitationRow = (one: OperatorInvitation) => [one.id, one.name, timeText(one.expiresAt)]

export const operatorInvitationsList: Command = command({
  words: 'operator-invitations list',
  what: 'list open invitations to operators',
  flags: listFlags,
  examples: [{ line: 'exchequer operator-invitations list', what: 'and when they expire' }],
  async run({ flags }, context) {
    const list = await listed(context.operator().people.invitations(), flags)
    const empty = 'There are no open invitations.'
    showList(context, list, { columns: invitationColumns, row: invitationRow, empty })
  },
})

const id = { invitation: { what: 'its id, as exchequer operator-invitations list shows it' } } as const

export const operatorInvitationsShow: Command = command({
  words: 'operator-invitations show',
  what: 'show one open invitation',
  args: id,
  examples: [{ line: 'exchequer operator-invitations show 7', what: 'one invitation' }],
  async run({ args }, { operator, out }) {
    const one = await operator().people.invitation(args.invitation)
    out.answer(one, () => out.table(invitationColumns, [invitationRow(one)]))
  },
})

export const operatorInvitationsDelete: Command = command({
  words: 'operator-invitations delete',
  what: 'cancel an operator’s invitation: its link stops working',
  args: id,
  flags: idempotencyFlag,
  examples: [{ line: 'exchequer operator-invitations delete 7', what: 'one invitation' }],
  async run({ args, flags }, { operator, out }) {
    const { invitation } = args
    await operator().people.withdraw(invitation, onceOf(flags))
    out.answer({ id: invitation }, () => out.line(`Invitation ${invitation} is deleted.`))
  },
})

export const healthShow: Command = command({
  words: 'health show',
  what: 'show whether the server is ready, its database, and the last verification',
  examples: [{ line: 'exchequer health show', what: 'of the server that answers' }],
  async run(_given, { operator, out }) {
    const one = await operator().health()
    const { verified } = one
    out.answer(one, () =>
      out.record([
        ['version', one.version],
        ['ready', one.ready],
        ['why not', one.why],
        ['started', timeText(one.startedAt)],
        ['database', one.database.up ? 'up' : 'down'],
        ['verified', verified && `${timeText(verified.at)}, ${verified.ok ? 'ok' : 'WRONG'}`],
      ]),
    )
  },
})
