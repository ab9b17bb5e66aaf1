import type { ChangedPerson, PersonData, Role } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { revokeAll } from './keys.ts'
import { listed, listFlags, showList } from './listing.ts'
import { showSecret } from './secret.ts'

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

export const peopleList: Command = command({
  words: 'people list',
  what: 'list who manages the realm in the console',
  flags: listFlags,
  examples: [{ line: 'exchequer people list', what: 'with their roles' }],
  async run({ flags }, context) {
    const list = await listed(context.realm().people.list(), flags)
    showList(context, list, { columns, row, empty: 'There are no people yet.' })
  },
})

const personId = { person: { what: 'the person’s id, as exchequer people list shows it' } } as const

export const peopleShow: Command = command({
  words: 'people show',
  what: 'show one person: role and last visit',
  args: personId,
  examples: [{ line: 'exchequer people show 4', what: 'one person' }],
  async run({ args }, context) {
    const one = await context.realm().people.get(args.person)
    context.out.answer(one, () => context.out.table(columns, [row(one)]))
  },
})

/** Keys that still work although their creator can no longer create keys. */
function showKeys({ out }: Context, keys: ChangedPerson['issuedKeys']): void {
  if (keys.length === 0) return
  const which = keys.map(({ id, name }) => `${id} (${name})`).join(', ')
  const verb = keys.length === 1 ? 'works' : 'work'
  out.aside(`${counted(keys.length, 'key')} that they created still ${verb}: ${which}.`)
  out.aside('To revoke them: exchequer keys revoke --orphaned')
}

export const peopleLink: Command = command({
  words: 'people link',
  what: 'create a link with which a person signs in again; it works once, for a day',
  args: personId,
  flags: idempotencyFlag,
  examples: [{ line: 'exchequer people link 4', what: 'prints the link' }],
  async run({ args, flags }, context) {
    const made = await context.realm().people.link(args.person, onceOf(flags))
    showSecret(context, made, {
      secret: made.link,
      what: 'the link',
      lost: 'If you do not have it, run the command without that key.',
      aside: `The link works once, until ${timeText(made.expiresAt)}.`,
    })
  },
})

export const peopleUpdate: Command = command({
  words: 'people update',
  what: 'change a person’s role',
  args: personId,
  flags: { role: { value: 'ROLE', what: 'what they can do', choices: roles }, ...idempotencyFlag },
  examples: [{ line: 'exchequer people update 4 --role viewer', what: 'can view, not change' }],
  async run({ args, flags }, context) {
    const { role } = flags
    if (role === undefined) throw wrongUsage(`Which role? Give --role with ${roles.join(', ')}.`)
    const changed = await context.realm().people.change(args.person, role as Role, onceOf(flags))
    context.out.answer(changed, () => {
      context.out.line(`${nameOf(changed)} is ${changed.role} now.`)
      if (changed.role !== 'owner') showKeys(context, changed.issuedKeys)
    })
  },
})

export const peopleDelete: Command = command({
  words: 'people delete',
  what: 'remove a person from the realm; the keys that they created are listed',
  args: personId,
  flags: {
    'revoke-keys': { what: 'revoke the keys that they created, too' },
    ...idempotencyFlag,
    ...yesFlag,
  },
  examples: [
    { line: 'exchequer people delete 4', what: 'asks first' },
    { line: 'exchequer people delete 4 --revoke-keys', what: 'programs that use those keys stop working' },
  ],
  async run({ args, flags }, context) {
    const keysToo = flags['revoke-keys'] ? ', and the keys that they created will be revoked' : ''
    const what = `Person ${args.person} will lose access to the realm${keysToo}. This can't be undone.`
    await confirm(context.terminal, what, flags.yes)
    const { people } = context.realm()
    const gone = await people.get(args.person)
    await people.remove(args.person, onceOf(flags))
    const keys = await issuedBy(context, args.person)
    const revoked = flags['revoke-keys'] ? await revokeAll(context, keys) : []
    context.out.answer({ ...gone, issuedKeys: keys, revokedKeys: revoked.map(({ id }) => id) }, () => {
      context.out.line(`${nameOf(gone)} no longer has a role here.`)
      if (!flags['revoke-keys']) showKeys(context, keys)
    })
  },
})

/** The keys they created that still work, once they can no longer create keys. */
async function issuedBy(context: Context, person: string): Promise<ChangedPerson['issuedKeys']> {
  const orphaned = await context.realm().keys.orphaned().toArray({ max: 10_000 })
  return orphaned.filter(({ issuer }) => issuer.id === person)
}
