import { Identities, type IdentityData } from '@exchequer/sdk/identities'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { identityOf, memberOf, notAddress, present } from './values.ts'

const member = {
  member: { what: 'the member’s id in digits, or an identity such as shop:9f1c' },
} as const
const identity = {
  identity: { what: 'a provider, a colon and its name for the member: shop:9f1c' },
} as const
const linkable = {
  identity: { what: 'an identity such as shop:9f1c, or email:ada@example.org, which is stored as a hash' },
} as const

const identitiesOf = ({ realm }: Context, id: string): Identities => new Identities(realm(), memberOf(id))

const columns: readonly Column[] = [
  { title: 'IDENTITY', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'LINKED' },
]
const row = (one: IdentityData) => [one.identity, one.name, timeText(one.linkedAt)]

export const identitiesList: Command = command({
  words: 'identities list',
  what: 'list what other systems call a member',
  args: member,
  flags: listFlags,
  examples: [{ line: 'exchequer identities list 1190194345295482952', what: 'a member has 16 at most' }],
  async run({ args, flags }, context) {
    const list = await listed(identitiesOf(context, args.member).list(), flags)
    showList(context, list, { columns, row, empty: 'No identity is linked.' })
  },
})

export const identitiesLink: Command = command({
  words: 'identities link',
  what: 'link an identity to a member, to use it in place of the id',
  args: { ...member, ...linkable },
  flags: {
    name: { value: 'TEXT', what: 'the name that the provider shows', mayBeEmpty: true },
    'picture-url': { value: 'URL', what: 'the picture that the provider shows', mayBeEmpty: true },
    ...idempotencyFlag,
  },
  examples: [
    {
      line: 'exchequer identities link 1190194345295482952 shop:9f1c --name Ada',
      what: 'a customer of a shop',
    },
  ],
  async run({ args, flags }, context) {
    const details = present({ name: flags.name, pictureUrl: flags['picture-url'] })
    const own = identitiesOf(context, args.member)
    const linked = await own.link(identityOf(args.identity), details, onceOf(flags))
    context.out.answer([linked], () => context.out.table(columns, [row(linked)]))
  },
})

export const identitiesUnlink: Command = command({
  words: 'identities unlink',
  what: 'unlink an identity from a member, who keeps the points',
  args: { ...member, ...identity },
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer identities unlink 1190194345295482952 shop:9f1c', what: 'asks first' }],
  async run({ args, flags }, context) {
    const id = memberOf(args.member)
    const unlinked = notAddress(identityOf(args.identity))
    await confirm(context.terminal, `${unlinked} will be unlinked from ${id}.`, flags.yes)
    await identitiesOf(context, id).unlink(unlinked, onceOf(flags))
    context.out.answer({ identity: unlinked }, () => context.out.line(`${unlinked} is unlinked.`))
  },
})
