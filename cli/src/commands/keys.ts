import type { KeyData, OrphanedKey, Scope } from '@exchequer/sdk'
import { type Command, type Context, command, yesFlag } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { counted, timeText } from '../output.ts'
import { confirm } from '../prompt.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { keysOf } from './managed.ts'
import { showSecret } from './secret.ts'
import { boundOf, expiryFlags, expiryOf, present, rateLimitOf } from './values.ts'

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
  { title: 'LIMITS', cut: true },
  { title: 'LAST USED' },
  { title: 'STATE' },
]

export function stateOf({ revokedAt, expiresAt }: Pick<KeyData, 'revokedAt' | 'expiresAt'>): string {
  if (revokedAt) return `revoked ${timeText(revokedAt)}`
  if (!expiresAt) return 'valid'
  return `${Date.parse(expiresAt) < Date.now() ? 'expired' : 'until'} ${timeText(expiresAt)}`
}

function limitsText({ maxPerChange, maxPerDay }: KeyData): string {
  const change = maxPerChange === null ? [] : [`${maxPerChange} a change`]
  return [...change, ...(maxPerDay === null ? [] : [`${maxPerDay} a day`])].join(', ')
}

const row = (one: KeyData) => [
  one.id,
  one.name,
  one.lastFour,
  one.scopes === null ? 'default' : one.scopes.join(' '),
  limitsText(one),
  timeText(one.lastUsedAt),
  stateOf(one),
]

export const statusFlag = {
  status: {
    value: 'STATUS',
    what: 'those that work, or were revoked or have expired; live by default',
    choices: ['active', 'revoked'],
  },
} as const

const orphanedFlags = {
  orphaned: { what: 'those that work, of people who were removed or may no longer create keys' },
  person: { value: 'ID', what: 'with --orphaned: only those that this person created' },
} as const

export const keysList: Command = command({
  words: 'keys list',
  what: 'list the realm’s keys; the secrets are never shown',
  flags: { ...statusFlag, ...orphanedFlags, ...listFlags },
  examples: [
    { line: 'exchequer keys list', what: 'with their scopes and last use' },
    { line: 'exchequer keys list --status revoked', what: 'those that no longer work' },
    { line: 'exchequer keys list --orphaned', what: 'whose creator may no longer create keys' },
  ],
  async run({ flags }, context) {
    const { status = 'active', orphaned, person } = flags
    if (person !== undefined && !orphaned) throw wrongUsage('--person is for use with --orphaned.')
    if (orphaned) {
      const source = { toArray: async () => orphans(context, person) }
      return showList(context, await listed(source, flags), orphanShape)
    }
    const list = await listed(keysOf(context).list({ status: status as 'active' | 'revoked' }), flags)
    return showList(context, list, { columns, row, empty: 'There are no such keys.' })
  },
})

const limitFlags = {
  'rate-limit': { value: 'LIMIT', what: 'RATE:BURST, requests per second and burst size; off; or default' },
  'max-per-change': { value: 'N', what: 'the most points in one change, or none' },
  'max-per-day': { value: 'N', what: 'the most points in a UTC day, or none' },
} as const

type LimitsGiven = {
  readonly 'rate-limit'?: string | undefined
  readonly 'max-per-change'?: string | undefined
  readonly 'max-per-day'?: string | undefined
}

const limitsOf = (flags: LimitsGiven) => ({
  rateLimit: rateLimitOf(flags['rate-limit']),
  maxPerChange: boundOf(flags['max-per-change']),
  maxPerDay: boundOf(flags['max-per-day']),
})

const keyWords = (id: string, aside: string) => ({
  what: `key ${id}`,
  lost: `If you do not have it: exchequer keys rotate ${id}`,
  aside,
})

export const keysCreate: Command = command({
  words: 'keys create',
  what: 'create a key for the realm; it is shown once',
  more: `Scopes: ${scopes.join(', ')}. Without --scopes it can do what a bot needs.`,
  flags: {
    name: { value: 'TEXT', what: 'what it is for' },
    scopes: { value: 'LIST', what: 'what it can do, comma-separated' },
    ...expiryFlags,
    ...limitFlags,
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer keys create --name bot --scopes members:read,points:write', what: 'for a bot' },
    {
      line: 'exchequer keys create --name agent --max-per-change 100 --max-per-day 1000',
      what: 'with limits',
    },
    {
      line: 'exchequer keys create --name backup --scopes realm:admin > key.txt',
      what: 'only the key goes to the file',
    },
  ],
  async run({ flags }, context) {
    const wanted = flags.scopes?.split(',').map((one) => one.trim())
    const wrong = wanted?.find((one) => !scopes.includes(one as Scope))
    if (wrong !== undefined) throw wrongUsage(`"${wrong}" is not a scope. Scopes are ${scopes.join(', ')}.`)
    const fields = present({
      name: flags.name,
      scopes: wanted as Scope[] | undefined,
      ...limitsOf(flags),
    })
    const made = await keysOf(context).issue({ ...fields, ...expiryOf(flags) }, onceOf(flags))
    const words = keyWords(made.id, `Key ${made.id}. It is shown only once: store it now.`)
    showSecret(context, made, { secret: made.key, ...words })
  },
})

const keyId = { key: { what: 'the key’s id, as exchequer keys list shows it' } } as const

export const keysShow: Command = command({
  words: 'keys show',
  what: 'show one key: scopes, last use and state',
  args: keyId,
  examples: [{ line: 'exchequer keys show 3', what: 'revoked ones too' }],
  async run({ args }, context) {
    const one = await keysOf(context).get(args.key)
    context.out.answer(one, () => context.out.table(columns, [row(one)]))
  },
})

export const keysRotate: Command = command({
  words: 'keys rotate',
  what: 'replace a key by a new one; both work for a while',
  args: keyId,
  flags: {
    'overlap-seconds': {
      value: 'SECONDS',
      what: 'how long the old one still works; a day by default, 0 for not at all',
    },
    ...idempotencyFlag,
  },
  examples: [{ line: 'exchequer keys rotate 3 --overlap-seconds 3600', what: 'an hour to change over' }],
  async run({ args, flags }, context) {
    const overlap = flags['overlap-seconds']
    if (overlap !== undefined && !/^[0-9]{1,7}$/.test(overlap))
      throw wrongUsage(`--overlap-seconds takes a number of seconds, not "${overlap}".`)
    const wanted = overlap === undefined ? {} : { overlapSeconds: Number(overlap) }
    const made = await keysOf(context).rotate(args.key, wanted, onceOf(flags))
    const { id, replaced } = made
    const aside = `Key ${id} replaces ${replaced.id}, which is ${stateOf(replaced)}. It is shown only once.`
    showSecret(context, made, { secret: made.key, ...keyWords(id, aside) })
  },
})

export const keysUpdate: Command = command({
  words: 'keys update',
  what: 'change a key’s name, expiry or limits',
  args: keyId,
  flags: {
    name: { value: 'TEXT', what: 'what it is for' },
    ...expiryFlags,
    'no-expiry': { what: 'it no longer expires' },
    ...limitFlags,
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer keys update 3 --expires-at 2030-01-31', what: 'works until then' },
    { line: 'exchequer keys update 3 --no-expiry', what: 'until it is revoked' },
  ],
  async run({ args, flags }, context) {
    const expiry = expiryOf(flags)
    if (flags['no-expiry'] && Object.keys(expiry).length > 0)
      throw wrongUsage('Give an expiry or --no-expiry, not both.')
    const fields = present({ name: flags.name, ...limitsOf(flags) })
    const never = flags['no-expiry'] ? { expiresAt: 'never' as const } : {}
    const change = { ...fields, ...expiry, ...never }
    if (Object.keys(change).length === 0)
      throw wrongUsage('Nothing to change. See: exchequer keys update --help')
    const changed = await keysOf(context).change(args.key, change, onceOf(flags))
    context.out.answer(changed, () => context.out.table(columns, [row(changed)]))
  },
})

type Revoked = Pick<KeyData, 'id' | 'name'>

/** Revokes one by one and prints each: when one fails, those before it are revoked. */
export async function revokeAll(
  context: Context,
  all: readonly Revoked[],
  once: ReturnType<typeof onceOf> = {},
): Promise<Revoked[]> {
  const gone: Revoked[] = []
  for (const one of all) {
    await keysOf(context).revoke(one.id, once)
    gone.push(one)
    if (!context.out.json) context.out.line(`Key ${one.id} (${one.name}) is revoked.`)
  }
  return gone
}

export const keysRevoke: Command = command({
  words: 'keys revoke',
  what: 'revoke a key, or all orphaned ones; it stops working within one second',
  args: { key: { ...keyId.key, optional: true } },
  flags: { ...orphanedFlags, ...idempotencyFlag, ...yesFlag },
  examples: [
    { line: 'exchequer keys revoke 3', what: 'asks first' },
    { line: 'exchequer keys revoke --orphaned --person 4', what: 'all that a removed person created' },
  ],
  async run({ args: { key }, flags }, context) {
    const { orphaned, person, yes } = flags
    if ((key === undefined) !== (orphaned === true) || (person !== undefined && !orphaned))
      throw wrongUsage('Which key? Give its id; or --orphaned, with --person for those of one person.')
    if (key === undefined) return revokeOrphans(context, { person, yes, once: onceOf(flags) })
    await confirm(context.terminal, `Key ${key} will be revoked. This can't be undone.`, yes)
    await keysOf(context).revoke(key, onceOf(flags))
    const gone = await keysOf(context).get(key)
    return context.out.answer(gone, () => context.out.line(`Key ${gone.id} (${gone.name}) is revoked.`))
  },
})

const issuerOf = ({ issuer: { id, name, role } }: OrphanedKey): string =>
  `${name ?? `Person ${id}`}, ${role ?? 'removed'}`

const orphanShape = {
  columns: [
    ...columns.filter(({ title }) => title !== 'STATE'),
    { title: 'CREATED BY', cut: true },
  ] as readonly Column[],
  row: (one: OrphanedKey) => [...row(one).slice(0, -1), issuerOf(one)],
  empty: 'There are no orphaned keys.',
}

async function orphans(context: Context, person: string | undefined): Promise<OrphanedKey[]> {
  const all = await context.realm().keys.orphaned().toArray({ max: 10_000 })
  return person === undefined ? all : all.filter(({ issuer }) => issuer.id === person)
}

type Orphans = {
  readonly person: string | undefined
  readonly yes: true | undefined
  readonly once: ReturnType<typeof onceOf>
}

async function revokeOrphans(context: Context, { person, yes, once }: Orphans): Promise<void> {
  const { out, terminal } = context
  const list = await orphans(context, person)
  if (list.length === 0) return out.answer([], () => out.aside(orphanShape.empty))
  if (!out.json) out.table(orphanShape.columns, list.map(orphanShape.row))
  const what = `${counted(list.length, 'key')} will be revoked. This can't be undone.`
  await confirm(terminal, what, yes)
  const gone = await revokeAll(context, list, once)
  return out.answer(gone, () => out.aside(`${counted(gone.length, 'key')} revoked.`))
}
