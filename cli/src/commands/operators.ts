import { type Command, type Context, command, yesFlag } from '../command.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import { present } from './values.ts'

const nameOf = ({ id, name }: { readonly id: string; readonly name: string | null }): string =>
  name ?? `Person ${id}`

export const operators: Command = command({
  words: 'operators',
  what: 'list the operators who sign in to the console; needs an operator token, as all of these do',
  examples: [{ line: 'exchequer operators', what: 'and when they were last seen' }],
  async run(_given, { operator, out }) {
    const list = await operator().people.list().toArray({ max: 10_000 })
    const columns = [
      { title: 'ID', style: 'cyan' },
      { title: 'NAME', cut: true },
      { title: 'E-MAIL', cut: true },
      { title: 'LAST SEEN' },
    ] as const
    const rows = list.map((one) => [one.id, nameOf(one), one.email, timeText(one.lastSeenAt)])
    out.answer(list, () => out.table(columns, rows))
  },
})

type Link = { readonly link: string; readonly expiresAt: string }

/** The link alone on stdout, so that it can be piped. */
function showLink({ out }: Context, made: Link, words: string): void {
  out.answer(made, () => {
    out.aside(`${words} until ${timeText(made.expiresAt)}. The link works once.`)
    out.line(made.link)
  })
}

export const operatorsInvite: Command = command({
  words: 'operators invite',
  what: 'make a link that signs a new operator in once',
  args: { name: { what: 'what they are called here' } },
  flags: { email: { value: 'ADDRESS', what: 'their e-mail address, for the OpenID provider' } },
  examples: [{ line: 'exchequer operators invite Olga', what: 'prints the link' }],
  async run({ args, flags: { email } }, context) {
    const made = await context.operator().people.invite({ name: args.name, ...present({ email }) })
    showLink(context, made, `Invitation ${made.id},`)
  },
})

export const operatorsInvitations: Command = command({
  words: 'operators invitations',
  what: 'list the invitations to operators that are still open',
  examples: [{ line: 'exchequer operators invitations', what: 'and until when' }],
  async run(_given, { operator, out }) {
    const list = await operator().people.invitations().toArray({ max: 10_000 })
    const columns = [
      { title: 'ID', style: 'cyan' },
      { title: 'NAME', cut: true },
      { title: 'UNTIL' },
    ] as const
    const rows = list.map((one) => [one.id, one.name, timeText(one.expiresAt)])
    out.answer(list, () => {
      if (list.length === 0) out.aside('No invitation is open.')
      else out.table(columns, rows)
    })
  },
})

export const operatorsWithdraw: Command = command({
  words: 'operators withdraw',
  what: 'take an operator’s invitation back: its link stops working',
  args: { invitation: { what: 'its id, as exchequer operators invitations shows it' } },
  examples: [{ line: 'exchequer operators withdraw 7', what: 'one invitation' }],
  async run({ args }, { operator, out }) {
    const { invitation: id } = args
    await operator().people.withdraw(id)
    out.answer({ id }, () => out.line(`Invitation ${id} is deleted.`))
  },
})

const personId = { person: { what: 'the person’s id, as exchequer operators or people shows it' } } as const

export const operatorsLink: Command = command({
  words: 'operators link',
  what: 'make a link for any person who has to sign in again; it works once, for a day',
  args: personId,
  examples: [{ line: 'exchequer operators link 4', what: 'prints the link' }],
  async run({ args }, context) {
    showLink(context, await context.operator().people.link(args.person), `For person ${args.person},`)
  },
})

export const operatorsErase: Command = command({
  words: 'operators erase',
  what: 'forget a person in all realms: name, address and every way to sign in',
  more: 'Lists the keys and tokens that they issued and that still work.',
  args: personId,
  flags: yesFlag,
  examples: [{ line: 'exchequer operators erase 4', what: 'asks first' }],
  async run({ args, flags }, { operator, out, terminal }) {
    await confirm(terminal, `Person ${args.person} is forgotten. This can't be undone.`, flags.yes)
    const { people } = operator()
    await people.forget(args.person)
    const left = await people.issued(args.person)
    const { keys, tokens } = left
    out.answer(left, () => {
      out.line(`Person ${args.person} is forgotten.`)
      if (keys.length + tokens.length === 0) return
      out.aside(`${counted(keys.length, 'key')} and ${counted(tokens.length, 'token')} still work:`)
      for (const { id, name, realmId } of keys) out.aside(`  key ${id} (${name}) of realm ${realmId}`)
      for (const { id, name } of tokens) out.aside(`  token ${id} (${name})`)
    })
  },
})

export const health: Command = command({
  words: 'health',
  what: 'show whether the server is ready, its database and when the ledger was verified',
  examples: [{ line: 'exchequer health', what: 'as the server that answers sees it' }],
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
        ['verified', verified && `${timeText(verified.at)}, ${verified.ok ? 'right' : 'WRONG'}`],
      ]),
    )
  },
})
