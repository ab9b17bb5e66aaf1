import type { ListedRealm, OperatedRealmChange, RealmData } from '@exchequer/sdk'
import { type Command, type Context, command } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { timeText } from '../output.ts'
import type { Column } from '../table.ts'
import { idempotencyFlag, onceOf } from './change.ts'
import { listed, listFlags, showList } from './listing.ts'
import { cellOf, present, rateLimitOf } from './values.ts'

/** The realm's client by its key if there is one, else by the operator token. */
function realmOf(context: Context) {
  const { key, token } = context.access
  return key !== undefined || token === undefined ? context.realm() : operatedRealm(context)
}

function operatedRealm({ access, operator }: Context) {
  if (access.realm === undefined) throw wrongUsage('Which realm? Give --realm ID.')
  return operator().realm(access.realm)
}

const columns: readonly Column[] = [
  { title: 'REALM', style: 'cyan' },
  { title: 'NAME', cut: true },
  { title: 'POINT TYPES', cut: true },
  { title: 'UNKNOWN MEMBERS' },
  { title: 'CREATED' },
]
const row = (one: ListedRealm) => [
  one.id,
  one.name,
  one.points?.map(({ id }) => id).join(', ') ?? `in cell ${one.cell}`,
  one.unknownMembers ?? '',
  timeText(one.createdAt),
]

export const realmsList: Command = command({
  words: 'realms list',
  what: 'list the realms of the server; needs an operator token',
  flags: {
    name: { value: 'TEXT', what: 'only those with this in their names' },
    cell: { value: 'N', what: 'only those of this cell' },
    ...listFlags,
  },
  examples: [
    { line: 'exchequer realms list --all', what: 'all of them' },
    { line: 'exchequer realms list --name guild', what: 'those with “guild” in their names' },
  ],
  async run({ flags }, context) {
    const filter = present({ name: flags.name, cell: cellOf(flags.cell) })
    const list = await listed(context.operator().realms(filter), flags)
    showList(context, list, { columns, row, empty: 'There are no realms yet.' })
  },
})

function show({ out }: Context, one: RealmData): void {
  out.answer(one, () =>
    out.record([
      ['realm', one.id],
      ['name', one.name],
      ['point types', one.points.map(({ id, name }) => (id === name ? id : `${id} (${name})`)).join(', ')],
      ['default type', one.defaultPointId],
      ['unknown members', one.unknownMembers],
      ['time zone', one.timeZone],
      ['logo', one.logo],
      ['suspended', one.suspended && `since ${timeText(one.suspended.since)}: ${one.suspended.reason}`],
      ['created', timeText(one.createdAt)],
    ]),
  )
}

export const realmsShow: Command = command({
  words: 'realms show',
  what: 'show a realm: its settings and point types',
  examples: [{ line: 'exchequer realms show --realm guild', what: 'another than the login’s' }],
  async run(_given, context) {
    show(context, await realmOf(context).get())
  },
})

const unknownMembers = {
  value: 'WHAT',
  what: 'what happens to unregistered ids: refused, or members with 0 points',
  choices: ['refuse', 'create'],
} as const

export const realmsCreate: Command = command({
  words: 'realms create',
  what: 'create a realm; needs an operator token',
  args: {
    id: { what: 'its id: letters, digits, _ or -; generated if omitted', optional: true },
  },
  flags: {
    name: { value: 'TEXT', what: 'its name' },
    'point-type': { value: 'ID', what: 'the id of its first point type' },
    'unknown-members': unknownMembers,
    cell: { value: 'N', what: 'the cell that it is created in, where there are several' },
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer realms create guild --name "The Guild" --point-type gold', what: 'a realm' },
    {
      line: 'exchequer realms create 5f7f3c9f0c1d4e2a8b6d7e90 --unknown-members create',
      what: 'for a bot that moves here and registers no members',
    },
  ],
  async run({ args, flags }, context) {
    const { name, 'point-type': point } = flags
    const unknown = flags['unknown-members'] as 'refuse' | 'create' | undefined
    const wanted = present({
      id: args.id,
      name,
      unknownMembers: unknown,
      point: point === undefined ? undefined : { id: point },
    })
    const options = { ...onceOf(flags), ...present({ cell: cellOf(flags.cell) }) }
    const made = await context.operator().createRealm(wanted, options)
    show(context, made)
    if (!context.out.json) context.out.aside(`Next, a key: exchequer keys create --realm ${made.id}`)
  },
})

type OperatedFlags = {
  readonly 'rate-limit'?: string | undefined
  readonly suspend?: string | undefined
  readonly resume?: boolean | undefined
}

/** What only an operator can change; undefined for nothing. */
function operatedChange(flags: OperatedFlags): OperatedRealmChange | undefined {
  const { suspend: reason, resume } = flags
  if (reason !== undefined && resume) throw wrongUsage('Give --suspend or --resume, not both.')
  const change = present({
    rateLimit: rateLimitOf(flags['rate-limit']),
    suspended: reason === undefined ? undefined : { reason },
  })
  if (resume) return { ...change, suspended: null }
  return Object.keys(change).length > 0 ? change : undefined
}

export const realmsUpdate: Command = command({
  words: 'realms update',
  what: 'change a realm’s settings',
  more:
    'What is not given stays as it is. The rate limit and suspension need an operator token, everything ' +
    'else a key. A suspended realm can be read, but not changed.',
  flags: {
    name: { value: 'TEXT', what: 'its name' },
    'unknown-members': unknownMembers,
    'time-zone': { value: 'ZONE', what: 'where its days begin, such as Europe/Berlin' },
    'default-point-type': { value: 'ID', what: 'used where a request names no point type' },
    logo: { value: 'URL', what: 'an https URL' },
    'rate-limit': { value: 'LIMIT', what: 'RATE:BURST, requests per second and burst size; off; or default' },
    suspend: { value: 'REASON', what: 'suspend it: its keys and people can only read; they see the reason' },
    resume: { what: 'end its suspension' },
    ...idempotencyFlag,
  },
  examples: [
    { line: 'exchequer realms update --time-zone Europe/Berlin', what: 'days begin at midnight there' },
    { line: 'exchequer realms update --rate-limit 5000:50000', what: 'as an operator' },
    { line: 'exchequer realms update --realm guild --suspend "Invoice 118 is unpaid"', what: 'reads only' },
  ],
  async run({ flags }, context) {
    const { name, logo } = flags
    const change = present({
      name,
      logo,
      unknownMembers: flags['unknown-members'] as 'refuse' | 'create' | undefined,
      timeZone: flags['time-zone'],
      defaultPointId: flags['default-point-type'],
    })
    const operated = operatedChange(flags)
    const isKeys = Object.keys(change).length > 0
    if (!isKeys && operated === undefined)
      throw wrongUsage('Nothing to change. See: exchequer realms update --help')
    // Check both credentials before either change is sent.
    const byKey = isKeys ? context.realm() : undefined
    const byOperator = operated && operatedRealm(context)
    const changed = await byKey?.change(change, onceOf(flags))
    const shown = (operated && (await byOperator?.change(operated, onceOf(flags)))) ?? changed
    if (shown) show(context, shown)
  },
})

export const statisticsShow: Command = command({
  words: 'statistics show',
  what: 'show members, activity and points issued, spent and held',
  examples: [{ line: 'exchequer statistics show', what: 'by point type' }],
  async run(_given, { realm, out }) {
    const all = await realm().statistics()
    const columns = [
      { title: 'POINT TYPE', style: 'cyan' },
      { title: 'ISSUED', right: true },
      { title: 'SPENT', right: true },
      { title: 'HELD', right: true },
      { title: 'CIRCULATION', right: true },
    ] as const
    out.answer(all, () => {
      out.record([
        ['members', all.members],
        ['active today', all.active.today],
        ['active in 7 days', all.active.week],
        ['active in 30 days', all.active.month],
        ['entries', BigInt(all.seq)],
      ])
      out.line('')
      const rows = all.supply.map(({ realmPointId, issued, spent, held, circulation }) => [
        realmPointId,
        ...[issued, spent, held, circulation].map(BigInt),
      ])
      out.table(columns, rows)
    })
  },
})
