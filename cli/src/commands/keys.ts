import type { KeyData, Scope, TokenData } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { momentOf, present } from './values.ts'

const scopes: readonly Scope[] = [
  'members:read',
  'members:write',
  'wallets:read',
  'wallets:write',
  'points:write',
  'journal:read',
  'realm:admin',
]

/** The keys by the operator token where there is one and a realm is named, else by the key. */
function keysOf(context: Context) {
  const { key, token, realm } = context.access
  if (token === undefined || (key !== undefined && realm === undefined)) return context.realm().keys
  if (realm === undefined) throw wrongUsage('Whose keys? Name the realm with --realm.')
  return context.operator().realm(realm).keys
}

const columns: readonly Column[] = [
  { title: 'ID', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'ENDS IN' },
  { title: 'SCOPES', cut: true },
  { title: 'LAST USED' },
  { title: 'STATE' },
]

function stateOf({ revokedAt, expiresAt }: KeyData | TokenData): string {
  if (revokedAt) return `revoked ${timeText(revokedAt)}`
  if (!expiresAt) return 'valid'
  return `${Date.parse(expiresAt) < Date.now() ? 'expired' : 'until'} ${timeText(expiresAt)}`
}

const row = (one: KeyData) => [
  one.id,
  one.name,
  one.lastFour,
  one.scopes === null ? 'what a bot needs' : one.scopes.join(' '),
  timeText(one.lastUsedAt),
  stateOf(one),
]

export const keys: Command = command({
  words: 'keys',
  what: 'list the realm’s keys; never the keys themselves',
  examples: [{ line: 'exchequer keys', what: 'with their scopes and last use' }],
  async run(_given, context) {
    const list = await keysOf(context).list()
    context.out.answer(list, () => context.out.table(columns, list.map(row)))
  },
})

const expiry = { expires: { value: 'TIME', what: 'when it ends, such as 2030-01-31' } } as const

/** The key alone on stdout, so that it can be piped into a file; the rest beside it. */
function showNew({ out }: Context, made: KeyData & { readonly key: string }, words: string): void {
  out.answer(made, () => {
    out.aside(words)
    out.line(made.key)
  })
}

export const keysIssue: Command = command({
  words: 'keys issue',
  what: 'issue a key for the realm; it is shown once',
  more: `Scopes: ${scopes.join(', ')}.`,
  flags: {
    name: { value: 'TEXT', what: 'what it is for' },
    scopes: { value: 'LIST', what: 'what it may, parted by commas; what a bot needs unless given' },
    ...expiry,
  },
  examples: [
    { line: 'exchequer keys issue --name bot --scopes members:read,points:write', what: 'for a bot' },
    {
      line: 'exchequer keys issue --name backup --scopes realm:admin > key.txt',
      what: 'only the key goes to the file',
    },
  ],
  async run({ flags }, context) {
    const wanted = flags.scopes?.split(',').map((one) => one.trim())
    const wrong = wanted?.find((one) => !scopes.includes(one as Scope))
    if (wrong !== undefined) throw wrongUsage(`${wrong} is no scope. There are ${scopes.join(', ')}.`)
    const made = await keysOf(context).issue(
      present({
        name: flags.name,
        scopes: wanted as Scope[] | undefined,
        expiresAt: flags.expires === undefined ? undefined : momentOf('--expires', flags.expires),
      }),
    )
    showNew(context, made, `Key ${made.id}. It is shown this once: keep it now.`)
  },
})

const keyId = { key: { what: 'the key’s id, as exchequer keys shows it' } } as const

export const keysRotate: Command = command({
  words: 'keys rotate',
  what: 'replace a key by a new one; the old one works on for a while',
  args: keyId,
  flags: {
    overlap: {
      value: 'SECONDS',
      what: 'how long the old one works on; 86400 unless given, 0 for not at all',
    },
  },
  examples: [{ line: 'exchequer keys rotate 3 --overlap 3600', what: 'an hour to change over' }],
  async run({ args, flags }, context) {
    const { overlap } = flags
    if (overlap !== undefined && !/^[0-9]{1,7}$/.test(overlap))
      throw wrongUsage(`--overlap is a number of seconds, not ${overlap}.`)
    const wanted = overlap === undefined ? {} : { overlapSeconds: Number(overlap) }
    const made = await keysOf(context).rotate(args.key, wanted)
    const { replaced } = made
    showNew(
      context,
      made,
      `Key ${made.id} replaces ${replaced.id}, which is ${stateOf(replaced)}. It is shown this once.`,
    )
  },
})

export const keysSet: Command = command({
  words: 'keys set',
  what: 'rename a key, set or clear its expiry',
  args: keyId,
  flags: {
    name: { value: 'TEXT', what: 'what it is for' },
    expires: { value: 'TIME', what: 'when it ends, such as 2030-01-31, or never' },
  },
  examples: [{ line: 'exchequer keys set 3 --expires never', what: 'no end' }],
  async run({ args, flags: { name, expires } }, context) {
    const until = expires === undefined || expires === 'never' ? expires : momentOf('--expires', expires)
    const changed = await keysOf(context).change(
      args.key,
      present({ name, expiresAt: until as Date | 'never' | undefined }),
    )
    context.out.answer(changed, () => context.out.table(columns, [row(changed)]))
  },
})

export const keysRevoke: Command = command({
  words: 'keys revoke',
  what: 'make a key useless, everywhere within a second',
  args: keyId,
  flags: yesFlag,
  examples: [{ line: 'exchequer keys revoke 3', what: 'asks first' }],
  async run({ args, flags }, context) {
    await confirm(context.terminal, `Key ${args.key} is revoked. This can't be undone.`, flags.yes)
    const gone = await keysOf(context).revoke(args.key)
    context.out.answer(gone, () => context.out.line(`Key ${gone.id} (${gone.name}) is revoked.`))
  },
})

const tokenColumns: readonly Column[] = columns.filter(({ title }) => title !== 'SCOPES')
const tokenRow = (one: TokenData) => [one.id, one.name, one.lastFour, timeText(one.lastUsedAt), stateOf(one)]

export const tokens: Command = command({
  words: 'tokens',
  what: 'list the operator tokens; needs one',
  examples: [{ line: 'exchequer tokens', what: 'all that were issued' }],
  async run(_given, { operator, out }) {
    const list = await operator().tokens.list()
    out.answer(list, () => {
      if (list.length === 0)
        out.aside('None was issued: there is only the one that the server was started with.')
      else out.table(tokenColumns, list.map(tokenRow))
    })
  },
})

export const tokensIssue: Command = command({
  words: 'tokens issue',
  what: 'issue an operator token, for one more person or program; it is shown once',
  args: { name: { what: 'whose it is' } },
  flags: expiry,
  examples: [
    { line: 'exchequer tokens issue "backup job" > token.txt', what: 'only the token goes to the file' },
  ],
  async run({ args, flags: { expires } }, { operator, out }) {
    const until = expires === undefined ? {} : { expiresAt: momentOf('--expires', expires) }
    const made = await operator().tokens.issue({ name: args.name, ...until })
    out.answer(made, () => {
      out.aside(`Token ${made.id}. It is shown this once: keep it now.`)
      out.line(made.token)
    })
  },
})

export const tokensRevoke: Command = command({
  words: 'tokens revoke',
  what: 'make an operator token useless',
  args: { token: { what: 'its id, as exchequer tokens shows it' } },
  flags: yesFlag,
  examples: [{ line: 'exchequer tokens revoke 2', what: 'asks first' }],
  async run({ args, flags }, { operator, out, terminal }) {
    await confirm(terminal, `Token ${args.token} is revoked. This can't be undone.`, flags.yes)
    const gone = await operator().tokens.revoke(args.token)
    out.answer(gone, () => out.line(`Token ${gone.id} (${gone.name}) is revoked.`))
  },
})
