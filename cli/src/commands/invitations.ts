import type { InvitationData, Role } from '@exchequer/sdk'
import { type Command, command } from '../command.ts'
import { timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { roles } from './people.ts'
import { present } from './values.ts'

export const invitationsCreate: Command = command({
  words: 'invitations create',
  what: 'make a link that signs a new person in once',
  more:
    'With --email a person who signs in at the OpenID provider with that address can accept in the ' +
    'console, without the link. Until they accept, the realm learns nothing of them.',
  args: { name: { what: 'what they are called here' } },
  flags: {
    role: { value: 'ROLE', what: 'what they may do; viewer unless given', choices: roles },
    email: { value: 'ADDRESS', what: 'their e-mail address' },
  },
  examples: [{ line: 'exchequer invitations create Ann --role manager', what: 'prints the link' }],
  async run({ args, flags: { role, email } }, context) {
    const wanted = { name: args.name, role: (role ?? 'viewer') as Role, ...present({ email }) }
    const made = await context.realm().people.invite(wanted)
    context.out.answer(made, () => {
      context.out.aside(`Invitation ${made.id}, until ${timeText(made.expiresAt)}. The link works once.`)
      context.out.line(made.link)
    })
  },
})

const invitationColumns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'E-MAIL', cut: true },
  { title: 'ROLE' },
  { title: 'MADE BY' },
  { title: 'UNTIL' },
]
const invitationRow = (one: InvitationData) => [
  one.id,
  one.name,
  one.email,
  one.role,
  one.madeBy,
  timeText(one.expiresAt),
]

export const invitations: Command = command({
  words: 'invitations',
  what: 'list the invitations that are still open',
  examples: [{ line: 'exchequer invitations', what: 'and until when' }],
  async run(_given, context) {
    const list = await context.realm().people.invitations().toArray({ max: 10_000 })
    context.out.answer(list, () => {
      if (list.length === 0) context.out.aside('No invitation is open.')
      else context.out.table(invitationColumns, list.map(invitationRow))
    })
  },
})

export const invitationsDelete: Command = command({
  words: 'invitations delete',
  what: 'take an invitation back: its link stops working',
  args: { invitation: { what: 'its id, as exchequer invitations shows it' } },
  examples: [{ line: 'exchequer invitations delete 7', what: 'its link opens nothing any more' }],
  async run({ args }, context) {
    const { invitation: id } = args
    await context.realm().people.withdraw(id)
    context.out.answer({ id }, () => context.out.line(`Invitation ${id} is deleted.`))
  },
})
