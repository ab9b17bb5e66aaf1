import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Balances, copyJournal, SlotReader } from '../../examples/events/cdc.ts'
import { query } from '../chaos/books.ts'
import { openSingle, type Single } from '../chaos/stage.ts'
import type { Checks } from '../security/checks.ts'
import { call } from '../support/call.ts'
import { makeRealm, managerKey, type RealmAccess } from '../support/fixture.ts'
import { operatorToken } from '../support/process.ts'

export type CdcSizes = { readonly realms: number; readonly seconds: number }

const guide = readFileSync(new URL('../../docs/operate/cdc.md', import.meta.url), 'utf8')

/** The blocks of the guide in a language. */
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )

/** PostgreSQL's settings, as the guide has them. */
const settings = (): Record<string, string> =>
  Object.fromEntries(
    [
      ...blocks('ini')
        .join('')
        .matchAll(/^(\w+) = (.+)$/gm),
    ].map(([, name, value]) => [name, value]),
  )

/** The guide's statements that set it up: role, publications, slot. */
function setUp(): string[] {
  const wanted = ['create role', 'create publication', 'pg_create_logical_replication_slot']
  const found = blocks('sql').filter((text) => wanted.some((words) => text.includes(words)))
  if (found.length !== wanted.length) throw new Error('docs/operate/cdc.md no longer has these statements')
  return found
}

/** The consumer's role, with the password of the guide. */
function consumerUrl({ superuserUrl }: Single): string {
  const [, role = '', password = ''] = /create role (\w+) .* password '([^']+)'/.exec(guide) ?? []
  const url = new URL(superuserUrl)
  Object.assign(url, { username: role, password })
  return String(url)
}

const positionText = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`

/** How much was written to PostgreSQL's log so far. */
async function logBytes({ superuserUrl }: Single): Promise<number> {
  const [row] = await query<{ bytes: string }>(superuserUrl, positionText)
  return Number(row?.bytes ?? 0)
}

/** In small groups, as each is two requests. */
async function makeRealms(stage: Single, count: number): Promise<RealmAccess[]> {
  const realms: RealmAccess[] = []
  let left = count
  const one = async (place: number) => {
    const access = { baseUrl: stage.urls[place % stage.urls.length] ?? '', token: operatorToken }
    for (; left > 0; ) {
      left -= 1
      realms.push(await makeRealm(access, { unknownMembers: 'create' }))
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(one))
  return realms
}

/** Longer than the load and what is left after it. */
const followMostMs = 150_000

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T

/** Awards, transfers and holds in all realms, by both servers. Returns how many succeeded. */
async function write(stage: Single, realms: readonly RealmAccess[], isOver: () => boolean): Promise<number> {
  let done = 0
  const one = async (place: number) => {
    for (let nth = 0; !isOver(); nth++) {
      const realm = nth < realms.length / 32 ? (realms[nth * 32 + place] ?? pick(realms)) : pick(realms)
      const url = `${pick(stage.urls)}/api/v4/realms/${realm.id}/members/${1 + (nth % 5)}`
      const { key } = realm
      const transfer = { recipientId: 9, tokens: 1 }
      const { status } =
        nth % 4 === 3
          ? await call('PATCH', `${url}/transfer`, { key, body: transfer })
          : nth % 9 === 4
            ? await call('POST', `${url}/holds`, { key, body: { tokens: 1, expiresIn: 1 } })
            : await call('PATCH', `${url}/tokenBalance`, { key, body: { tokens: 5 } })
      if (status < 300) done += 1
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, place) => one(place)))
  return done
}

/** As the example does, and now and then without the confirmation, as after a crash. */
async function follow(client: pg.Client, balances: Balances, isOver: () => boolean): Promise<number> {
  const reader = new SlotReader(client)
  let entries = 0
  const untilMs = performance.now() + followMostMs
  for (let nth = 1; performance.now() < untilMs; nth++) {
    const isLast = isOver()
    const { rows, position } = await reader.next()
    for (const row of rows) balances.add(row)
    if (nth % 5 === 0 && !isLast) continue
    entries += rows.length
    await reader.confirm(position)
    if (rows.length === 0 && isLast) return entries
    await sleep(20)
  }
  throw new Error('the slot has no end')
}

type BalanceRow = Readonly<Record<'realm' | 'account' | 'point' | 'balance', string>>

async function compare(stage: Single, balances: Balances, checks: Checks): Promise<void> {
  const stored = await query<BalanceRow>(
    stage.superuserUrl,
    'select realm, account, point, balance from exchequer.balances',
  )
  const ours = new Map(stored.map((row) => [`${row.realm} ${row.account} ${row.point}`, BigInt(row.balance)]))
  const wrong = [...ours].filter(([name, balance]) => (balances.points.get(name) ?? 0n) !== balance)
  const extra = [...balances.points].filter(([name, balance]) => balance !== (ours.get(name) ?? 0n))
  console.log(`  ${ours.size} balances, ${wrong.length} wrong, ${extra.length} unknown to the server`)
  checks.check(ours.size > 0 && wrong.length === 0 && extra.length === 0, 'balances are those of the server')
  const heads = await query<{ realm: number; seq: string }>(
    stage.superuserUrl,
    'select realm, seq from exchequer.heads where seq > 0',
  )
  const behind = heads.filter(({ realm, seq }) => String(balances.seqs.get(String(realm))) !== seq)
  checks.check(behind.length === 0, `${behind.length} of ${heads.length} realms are incomplete`)
}

/** A member who is erased is a tombstone for the consumer. */
async function checkErasure(stage: Single, client: pg.Client, checks: Checks): Promise<void> {
  const access = { baseUrl: stage.urls[0] ?? '', token: operatorToken }
  const realm = await makeRealm(access, { unknownMembers: 'create' })
  const key = await managerKey(access, realm.id)
  const url = `${access.baseUrl}/api/v4/realms/${realm.id}/members/77`
  for (const tokens of [5, -5]) await call('PATCH', `${url}/tokenBalance`, { key, body: { tokens } })
  const { status, text } = await call('POST', `${url}/erasure`, { key, body: {} })
  const balances = new Balances()
  await follow(client, balances, () => true)
  checks.check(status < 300 && balances.tombstones.size === 1, `an erased member has no tombstone: ${text}`)
}

/** Without entries the slot moves on, whatever else is written. */
async function checkHeartbeat(stage: Single, client: pg.Client, checks: Checks): Promise<void> {
  const text = `select pg_logical_emit_message(false, 'other', repeat('x', 100000))`
  for (let nth = 0; nth < 20; nth++) await query(stage.superuserUrl, text)
  const [before] = await query<{ lsn: string }>(stage.superuserUrl, 'select pg_current_wal_lsn() as lsn')
  await query(stage.superuserUrl, `select pg_logical_emit_message(true, 'end', '')`)
  await follow(client, new Balances(), () => true)
  const [slot] = await query<{ moved: boolean }>(
    stage.superuserUrl,
    `select confirmed_flush_lsn >= '${before?.lsn}' as moved from pg_replication_slots`,
  )
  checks.check(slot?.moved === true, 'a slot without new entries does not move on')
}

async function checkAll(stage: Single, { realms: count, seconds }: CdcSizes, checks: Checks): Promise<void> {
  const realms = await makeRealms(stage, count)
  // Entries from before the slot.
  const sinceMs = performance.now()
  await write(stage, realms, () => performance.now() - sinceMs > 500)
  for (const statements of setUp()) await query(stage.superuserUrl, statements)
  const client = new pg.Client({ connectionString: consumerUrl(stage) })
  await client.connect()
  try {
    const balances = new Balances()
    const startMs = performance.now()
    let isWritten = false
    const before = await logBytes(stage)
    const writing = write(stage, realms, () => performance.now() - startMs > seconds * 1_000)
    await copyJournal(client, balances)
    const following = follow(client, balances, () => isWritten)
    // Rejected entries, gaps and wrong balances end it at once.
    following.catch(() => {})
    const written = await writing
    // Holds expire within a second and are then entries.
    await sleep(2_500)
    isWritten = true
    const followed = await following.catch((error: unknown) => String(error))
    const each = Math.round(((await logBytes(stage)) - before) / written)
    console.log(`  ${written} writes to ${count} realms in ${seconds} s, ${followed} entries by the slot`)
    console.log(`  ${each} bytes of PostgreSQL’s log for each write`)
    checks.check(typeof followed === 'number' && followed > 0, `0 gaps, 0 out of order: ${followed}`)
    await compare(stage, balances, checks)
    if (typeof followed !== 'number') return
    await checkErasure(stage, client, checks)
    await checkHeartbeat(stage, client, checks)
  } finally {
    await client.end()
  }
}

/** Logical decoding by the guide's own settings, statements and consumer. */
export async function checkCdc(folder: string, sizes: CdcSizes, checks: Checks): Promise<void> {
  const stage = await openSingle({ folder, count: 2, settings: settings() })
  try {
    await checkAll(stage, sizes, checks)
  } finally {
    await stage.close()
  }
}
