import type { TokenData } from '@exchequer/sdk'
import { type Command, command, yesFlag } from '../command.ts'
import { timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { stateOf, statusFlag } from './keys.ts'
import { listed, listFlags, showList } from './listing.ts'
import { showSecret } from './secret.ts'
import { expiryFlags, expiryOf } from './values.ts'

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'ENDS IN' },
  { title: 'LAST USED' },
  { title: 'STATE' },
]
const row = (one: TokenData) => [one.id, one.name, one.lastFour, timeText(one.lastUsedAt), stateOf(one)]

export const operatorTokensList: Command = command({
  words: 'operator-tokens list',
  what: 'list the operator tokens; the secrets are never shown',
  flags: { ...statusFlag, ...listFlags },
  examples: [
    { line: 'exchequer operator-tokens list', what: 'those that work' },
    { line: 'exchequer operator-tokens list --status revoked', what: 'those that no longer work' },
  ],
  async run({ flags }, context) {
    const status = (flags.status ?? 'active') as 'active' | 'revoked'
    const list = await listed(context.operator().tokens.list({ status }), flags)
    const empty =
      status === 'revoked'
        ? 'No token was revoked.'
        : 'No token was created: there is only the one that the server was started with.'
    showList(context, list, { columns, row, empty })
  },
})

const tokenId = { token: { what: 'its id, as exchequer operator-tokens list shows it' } } as const

export const operatorTokensShow: Command = command({
  words: 'operator-tokens show',
  what: 'show one operator token: last use and state',
  args: tokenId,
  examples: [{ line: 'exchequer operator-tokens show 2', what: 'revoked ones too' }],
  async run({ args }, { operator, out }) {
    const one = await operator().tokens.get(args.token)
    out.answer(one, () => out.table(columns, [row(one)]))
  },
})

export const operatorTokensCreate: Command = command({
  words: 'operator-tokens create',
  what: 'create an operator token for a person or program; it is shown once',
  args: { name: { what: 'whose it is' } },
  flags: { ...expiryFlags, ...idempotencyFlag },
  examples: [
    {
      line: 'exchequer operator-tokens create "backup job" > token.txt',
      what: 'only the token goes to the file',
    },
  ],
  async run({ args, flags }, context) {
    const wanted = { name: args.name, ...expiryOf(flags) }
    const made = await context.operator().tokens.issue(wanted, onceOf(flags))
    const { id, token: secret } = made
    showSecret(context, made, {
      secret,
      what: `token ${id}`,
      lost: `If you do not have it, create another and: exchequer operator-tokens revoke ${id}`,
      aside: `Token ${id}. It is shown only once: store it now.`,
    })
  },
})

export const operatorTokensRevoke: Command = command({
  words: 'operator-tokens revoke',
  what: 'revoke an operator token; it stops working within one second',
  args: tokenId,
  flags: { ...idempotencyFlag, ...yesFlag },
  examples: [{ line: 'exchequer operator-tokens revoke 2', what: 'asks first' }],
  async run({ args, flags }, { operator, out, terminal }) {
    await confirm(terminal, `Token ${args.token} will be revoked. This can't be undone.`, flags.yes)
    await operator().tokens.revoke(args.token, onceOf(flags))
    const gone = await operator().tokens.get(args.token)
    out.answer(gone, () => out.line(`Token ${gone.id} (${gone.name}) is revoked.`))
  },
})
