import type { KeyData, OrphanedKey, Scope, TokenData } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { keysOf } from './managed.ts'
import { momentOf, present, rateLimitOf } from './values.ts'

const scopes: readonly Scope[] = [
  'members:read',
  'members:write',
  'wallets:read',
  'wallets:write',
  'points:write',
  'journal:read',
  'realm:admin',
]

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

/** Of one list, the newest first. */
const listCap = 10_000

const revokedFlag = { revoked: { what: 'those that were revoked or have expired' } } as const

const statusOf = ({ revoked }: { readonly revoked?: boolean | undefined }) => ({
  status: revoked ? ('revoked' as const) : ('live' as const),
})

export const keys: Command = command({
  words: 'keys',
  what: 'list the realm’s keys; never the keys themselves',
  flags: revokedFlag,
  examples: [
    { line: 'exchequer keys', what: 'with their scopes and last use' },
    { line: 'exchequer keys --revoked', what: 'those that do not work any more' },
  ],
  async run({ flags }, context) {
    const list = await keysOf(context).list(statusOf(flags)).toArray({ max: listCap })
    context.out.answer(list, () => context.out.table(columns, list.map(row)))
  },
})

const limitFlag = {
  'rate-limit': { value: 'LIMIT', what: 'RATE:BURST in requests a second and at once, off, or default' },
} as const
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
    ...limitFlag,
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
        rateLimit: rateLimitOf(flags['rate-limit']),
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
  what: 'rename a key, set or clear its expiry, set its rate limit',
  args: keyId,
  flags: {
    name: { value: 'TEXT', what: 'what it is for' },
    expires: { value: 'TIME', what: 'when it ends, such as 2030-01-31, or never' },
    ...limitFlag,
  },
  examples: [{ line: 'exchequer keys set 3 --expires never', what: 'no end' }],
  async run({ args, flags: { name, expires, ...flags } }, context) {
    const until = expires === undefined || expires === 'never' ? expires : momentOf('--expires', expires)
    const changed = await keysOf(context).change(
      args.key,
      present({
        name,
        expiresAt: until as Date | 'never' | undefined,
        rateLimit: rateLimitOf(flags['rate-limit']),
      }),
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
    await keysOf(context).revoke(args.key)
    const gone = await keysOf(context).get(args.key)
    context.out.answer(gone, () => context.out.line(`Key ${gone.id} (${gone.name}) is revoked.`))
  },
})

type Revoked = Pick<KeyData, 'id' | 'name'>

/** Revokes one after the other, and says each: where one fails, those before it are revoked. */
export async function revokeAll(context: Context, all: readonly Revoked[]): Promise<Revoked[]> {
  const gone: Revoked[] = []
  for (const one of all) {
    await keysOf(context).revoke(one.id)
    gone.push(one)
    if (!context.out.json) context.out.line(`Key ${one.id} (${one.name}) is revoked.`)
  }
  return gone
}

const orphanColumns: readonly Column[] = [
  ...columns.filter(({ title }) => title !== 'STATE'),
  { title: 'ISSUED BY', cut: true },
]
const issuerOf = ({ issuer: { id, name, role } }: OrphanedKey): string =>
  `${name ?? `Person ${id}`}, ${role ?? 'removed'}`
const orphanRow = (one: OrphanedKey) => [...row(one).slice(0, -1), issuerOf(one)]

export const keysOrphaned: Command = command({
  words: 'keys orphaned',
  what: 'list the keys that still work, of people who were removed or may not issue keys any more',
  flags: {
    person: { value: 'ID', what: 'only those that this person issued' },
    revoke: { what: 'revoke them all' },
    ...yesFlag,
  },
  examples: [
    { line: 'exchequer keys orphaned', what: 'and who issued them' },
    { line: 'exchequer keys orphaned --person 4 --revoke', what: 'asks first' },
  ],
  async run({ flags: { person, revoke, yes } }, context) {
    const { out, terminal } = context
    const all = await context.realm().keys.orphaned().toArray({ max: listCap })
    const list = person === undefined ? all : all.filter(({ issuer }) => issuer.id === person)
    if (list.length === 0) return out.answer([], () => out.aside('There is no such key.'))
    if (!revoke) return out.answer(list, () => out.table(orphanColumns, list.map(orphanRow)))
    if (!out.json) out.table(orphanColumns, list.map(orphanRow))
    const verb = list.length === 1 ? 'is' : 'are'
    await confirm(terminal, `${counted(list.length, 'key')} ${verb} revoked. This can't be undone.`, yes)
    const gone = await revokeAll(context, list)
    out.answer(gone, () => out.aside(`${counted(gone.length, 'key')} revoked.`))
  },
})

const tokenColumns: readonly Column[] = columns.filter(({ title }) => title !== 'SCOPES')
const tokenRow = (one: TokenData) => [one.id, one.name, one.lastFour, timeText(one.lastUsedAt), stateOf(one)]

export const tokens: Command = command({
  words: 'tokens',
  what: 'list the operator tokens; needs one',
  flags: revokedFlag,
  examples: [
    { line: 'exchequer tokens', what: 'those that work' },
    { line: 'exchequer tokens --revoked', what: 'those that do not work any more' },
  ],
  async run({ flags }, { operator, out }) {
    const list = await operator().tokens.list(statusOf(flags)).toArray({ max: listCap })
    out.answer(list, () => {
      if (list.length === 0 && flags.revoked) out.aside('None was revoked.')
      else if (list.length === 0)
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
    await operator().tokens.revoke(args.token)
    const gone = await operator().tokens.get(args.token)
    out.answer(gone, () => out.line(`Token ${gone.id} (${gone.name}) is revoked.`))
  },
})
