import type { InvitationData, Role } from '@exchequer/sdk'
import { type Command, command } from '../command.ts'
import { timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { roles } from './people.ts'
import { showSecret } from './secret.ts'
import { present } from './values.ts'

export const invitationsCreate: Command = command({
  words: 'invitations create',
  what: 'invite a person: creates a link that signs them in once',
  more:
    'With --email a person who signs in at the OpenID provider with that address can accept in the ' +
    'console, without the link. Until they accept, the realm learns nothing of them.',
  args: { name: { what: 'their name' } },
  flags: {
    role: { value: 'ROLE', what: 'what they can do; viewer by default', choices: roles },
    email: { value: 'ADDRESS', what: 'their e-mail address' },
    ...idempotencyFlag,
  },
  examples: [{ line: 'exchequer invitations create Ann --role manager', what: 'prints the link' }],
  async run({ args, flags }, context) {
    const { role, email } = flags
    const wanted = { name: args.name, role: (role ?? 'viewer') as Role, ...present({ email }) }
    const made = await context.realm().people.invite(wanted, onceOf(flags))
    showSecret(context, made, {
      secret: made.link,
      what: `the link of invitation ${made.id}`,
      lost: `If you do not have it, create another and: exchequer invitations delete ${made.id}`,
      aside: `Invitation ${made.id}. The link works once, until ${timeText(made.expiresAt)}.`,
    })
  },
})

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'E-MAIL', cut: true },
  { title: 'ROLE' },
  { title: 'INVITED BY' },
  { title: 'EXPIRES' },
]
const row = (one: InvitationData) => [
  one.id,
  one.name,
  one.email,
  one.role,
  one.madeBy,
  timeText(one.expiresAt),
]

export const invitationsList: Command = command({
  words: 'invitations list',
  what: 'list open invitations',
  flags: listFlags,
  examples: [{ line: 'exchequer invitations list', what: 'and when they expire' }],
  async run({ flags }, context) {
    const list = await listed(context.realm().people.invitations(), flags)
    showList(context, list, { columns, row, empty: 'There are no open invitations.' })
  },
})

const id = { invitation: { what: 'its id, as exchequer invitations list shows it' } } as const

export const invitationsShow: Command = command({
  words: 'invitations show',
  what: 'show one open invitation',
  args: id,
  examples: [{ line: 'exchequer invitations show 7', what: 'one invitation' }],
  async run({ args }, context) {
    const one = await context.realm().people.invitation(args.invitation)
    context.out.answer(one, () => context.out.table(columns, [row(one)]))
  },
})

export const invitationsDelete: Command = command({
  words: 'invitations delete',
  what: 'cancel an invitation: its link stops working',
  args: id,
  flags: idempotencyFlag,
  examples: [{ line: 'exchequer invitations delete 7', what: 'one invitation' }],
  async run({ args, flags }, context) {
    const { invitation } = args
    await context.realm().people.withdraw(invitation, onceOf(flags))
    context.out.answer({ id: invitation }, () => context.out.line(`Invitation ${invitation} is deleted.`))
  },
})
