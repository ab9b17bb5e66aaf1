import type { RealmData } from '@exchequer/sdk'
import { type Command, type Context, command } from '../command.ts'
import { wrongUsage } from '../exits.ts'
import { timeText } from '../output.ts'
import { countOf, present, rateLimitOf, take } from './values.ts'

/** The realm by the key where there is one, else by the operator token. */
function door(context: Context) {
  const { key, token } = context.access
  return key !== undefined || token === undefined ? context.realm() : operatedRealm(context)
}

function operatedRealm({ access, operator }: Context) {
  if (access.realm === undefined) throw wrongUsage('Which realm? Name it with --realm.')
  return operator().realm(access.realm)
}

export const realms: Command = command({
  words: 'realms',
  what: 'list the realms of the server; needs an operator token',
  flags: { limit: { value: 'N', what: 'how many at most; 1000 unless given' } },
  examples: [{ line: 'exchequer realms', what: 'all of them' }],
  async run({ flags }, { operator, out }) {
    const list = await take(operator().realms(), countOf('--limit', flags.limit, 1000))
    const columns = [
      { title: 'REALM', style: 'cyan' },
      { title: 'NAME', cut: true },
      { title: 'POINTS', cut: true },
      { title: 'UNKNOWN MEMBERS' },
      { title: 'MADE' },
    ] as const
    const rows = list.map((one) => [
      one.id,
      one.name,
      one.points.map(({ id }) => id).join(', '),
      one.unknownMembers,
      timeText(one.createdAt),
    ])
    out.answer(list, () => out.table(columns, rows))
  },
})

function show({ out }: Context, one: RealmData): void {
  out.answer(one, () =>
    out.record([
      ['realm', one.id],
      ['name', one.name],
      ['points', one.points.map(({ id, name }) => (id === name ? id : `${id} (${name})`)).join(', ')],
      ['default', one.defaultPointId],
      ['unknown members', one.unknownMembers],
      ['time zone', one.timeZone],
      ['logo', one.logo],
      ['made', timeText(one.createdAt)],
    ]),
  )
}

export const realmsShow: Command = command({
  words: 'realms show',
  what: 'show the realm: its settings and kinds of points',
  examples: [{ line: 'exchequer realms show --realm guild', what: 'one realm' }],
  async run(_given, context) {
    show(context, await door(context).get())
  },
})

const unknownMembers = {
  value: 'WHAT',
  what: 'what an id is that nobody registered: refused, or a member with 0 points',
  choices: ['refuse', 'create'],
} as const

export const realmsMake: Command = command({
  words: 'realms make',
  what: 'make a realm; needs an operator token',
  args: {
    id: { what: 'its id: letters, digits, _ or -; 24 hex digits are made when left out', optional: true },
  },
  flags: {
    name: { value: 'TEXT', what: 'what it is called' },
    point: { value: 'ID', what: 'the id of its first kind of points' },
    'unknown-members': unknownMembers,
  },
  examples: [
    { line: 'exchequer realms make guild --name "The Guild" --point gold', what: 'a realm' },
    {
      line: 'exchequer realms make 5f7f3c9f0c1d4e2a8b6d7e90 --unknown-members create',
      what: 'for a bot that moves in',
    },
  ],
  async run({ args, flags }, context) {
    const { name, point } = flags
    const unknown = flags['unknown-members'] as 'refuse' | 'create' | undefined
    const wanted = present({
      id: args.id,
      name,
      unknownMembers: unknown,
      point: point === undefined ? undefined : { id: point },
    })
    const made = await context.operator().createRealm(wanted)
    show(context, made)
    if (!context.out.json) context.out.aside(`A key for it: exchequer keys issue --realm ${made.id}`)
  },
})

export const realmsSet: Command = command({
  words: 'realms set',
  what: 'change the realm’s settings',
  more: 'What is not given stays as it is. The rate limit needs an operator token, everything else a key.',
  flags: {
    name: { value: 'TEXT', what: 'what it is called' },
    'unknown-members': unknownMembers,
    'time-zone': { value: 'ZONE', what: 'when its days begin, such as Europe/Berlin' },
    'default-point': { value: 'ID', what: 'the kind of points that is meant when none is named' },
    logo: { value: 'URL', what: 'an https URL' },
    'rate-limit': { value: 'LIMIT', what: 'RATE:BURST in requests a second and at once, off, or default' },
  },
  examples: [
    { line: 'exchequer realms set --time-zone Europe/Berlin', what: 'days begin at midnight there' },
    { line: 'exchequer realms set --rate-limit 5000:50000', what: 'for an operator' },
  ],
  async run({ flags }, context) {
    const { name, logo } = flags
    const change = present({
      name,
      logo,
      unknownMembers: flags['unknown-members'] as 'refuse' | 'create' | undefined,
      timeZone: flags['time-zone'],
      defaultPointId: flags['default-point'],
    })
    const limit = flags['rate-limit']
    const isKeys = Object.keys(change).length > 0
    if (!isKeys && limit === undefined)
      throw wrongUsage('What is to be changed? See: exchequer realms set --help')
    // Both are looked for before either is changed.
    const byKey = isKeys ? context.realm() : undefined
    const byOperator = limit === undefined ? undefined : operatedRealm(context)
    const rateLimit = rateLimitOf(limit)
    const changed = await byKey?.change(change)
    const limited = rateLimit && (await byOperator?.change({ rateLimit }))
    const shown = limited ?? changed
    if (shown) show(context, shown)
  },
})

export const realmsStatistics: Command = command({
  words: 'realms statistics',
  what: 'the realm at a glance: members, who is active, what is issued and spent',
  examples: [{ line: 'exchequer realms statistics', what: 'supply and members' }],
  async run(_given, { realm, out }) {
    const all = await realm().statistics()
    const columns = [
      { title: 'KIND', style: 'cyan' },
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
