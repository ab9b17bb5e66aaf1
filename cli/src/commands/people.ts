import type { ChangedPerson, PersonData, Role } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { revokeAll } from './keys.ts'

export const roles = ['owner', 'manager', 'viewer'] as const satisfies readonly Role[]

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'E-MAIL', cut: true },
  { title: 'ROLE' },
  { title: 'SIGNS IN' },
  { title: 'LAST SEEN' },
]

const nameOf = ({ id, name }: Pick<PersonData, 'id' | 'name'>): string => name ?? `Person ${id}`

const row = (one: PersonData) => [
  one.id,
  nameOf(one),
  one.email,
  one.role,
  one.signsInBy === 'link' ? 'by link' : 'with an account',
  timeText(one.lastSeenAt),
]

export const people: Command = command({
  words: 'people',
  what: 'list who looks after the realm in the console',
  examples: [{ line: 'exchequer people', what: 'with their roles' }],
  async run(_given, context) {
    const list = await context.realm().people.list().toArray({ max: 10_000 })
    context.out.answer(list, () => context.out.table(columns, list.map(row)))
  },
})

const personId = { person: { what: 'the person’s id, as exchequer people shows it' } } as const

/** The keys that go on working though their issuer may not issue keys any more. */
function tellKeys({ out }: Context, keys: ChangedPerson['issuedKeys']): void {
  if (keys.length === 0) return
  const which = keys.map(({ id, name }) => `${id} (${name})`).join(', ')
  const verb = keys.length === 1 ? 'works' : 'work'
  out.aside(`${counted(keys.length, 'key')} that they issued still ${verb}: ${which}.`)
  out.aside('To revoke them: exchequer keys orphaned --revoke')
}

export const peopleLink: Command = command({
  words: 'people link',
  what: 'make a link for a person who has to sign in again; it works once, for a day',
  args: personId,
  examples: [{ line: 'exchequer people link 4', what: 'prints the link' }],
  async run({ args }, context) {
    const made = await context.realm().people.link(args.person)
    context.out.answer(made, () => {
      context.out.aside(`Until ${timeText(made.expiresAt)}. The link works once.`)
      context.out.line(made.link)
    })
  },
})

export const peopleSet: Command = command({
  words: 'people set',
  what: 'give a person another role, from within a second on',
  args: personId,
  flags: { role: { value: 'ROLE', what: 'what they may do', choices: roles } },
  examples: [{ line: 'exchequer people set 4 --role viewer', what: 'they may only look' }],
  async run({ args, flags: { role } }, context) {
    if (role === undefined) throw wrongUsage(`Which role? Give --role with ${roles.join(', ')}.`)
    const changed = await context.realm().people.change(args.person, role as Role)
    context.out.answer(changed, () => {
      context.out.line(`${nameOf(changed)} is ${changed.role} now.`)
      if (changed.role !== 'owner') tellKeys(context, changed.issuedKeys)
    })
  },
})

export const peopleRemove: Command = command({
  words: 'people remove',
  what: 'take a person’s role away; lists the keys that they issued and that still work',
  args: personId,
  flags: { 'revoke-keys': { what: 'revoke the keys that they issued, too' }, ...yesFlag },
  examples: [
    { line: 'exchequer people remove 4', what: 'asks first' },
    { line: 'exchequer people remove 4 --revoke-keys', what: 'programs that use those keys stop working' },
  ],
  async run({ args, flags }, context) {
    const keysToo = flags['revoke-keys'] ? ', and the keys that they issued are revoked' : ''
    const what = `Person ${args.person} can't enter the realm any more${keysToo}. This can't be undone.`
    await confirm(context.terminal, what, flags.yes)
    const { people } = context.realm()
    const gone = await people.get(args.person)
    await people.remove(args.person)
    const keys = await issuedBy(context, args.person)
    const revoked = flags['revoke-keys'] ? await revokeAll(context, keys) : []
    context.out.answer({ ...gone, issuedKeys: keys, revokedKeys: revoked.map(({ id }) => id) }, () => {
      context.out.line(`${nameOf(gone)} has no role here any more.`)
      if (!flags['revoke-keys']) tellKeys(context, keys)
    })
  },
})

/** What they issued and still works, once they may not issue keys any more. */
async function issuedBy(context: Context, person: string): Promise<ChangedPerson['issuedKeys']> {
  const orphaned = await context.realm().keys.orphaned().toArray({ max: 10_000 })
  return orphaned.filter(({ issuer }) => issuer.id === person)
}
