import assert from 'node:assert/strict'
import { rowsOf } from '../../../../tests/support/books.ts'
import type { Exports } from '../../../src/files/exports/index.ts'
import {
  type Command,
  fingerprintOf,
  type Ledger,
  makeDetails,
  requestOf,
} from '../../../src/ledger/index.ts'

/** A command without the parts that are the same for all. */
type Asked = { readonly kind: Command['kind']; readonly reason?: string; readonly key?: string } & Readonly<
  Record<string, unknown>
>

/** Posts a command that must succeed, and returns its entries. */
export async function post(ledger: Ledger, realm: number, asked: Asked): Promise<readonly bigint[]> {
  const { reason, key, ...rest } = asked
  const said = { reason, reference: undefined, metadata: undefined, actorId: undefined }
  const fingerprint = fingerprintOf({ kind: asked.kind, said: [String(rest['member'])], details: said })
  const retry = key === undefined ? undefined : { request: requestOf(key), fingerprint }
  const common = { realm, key: 3, requestId: 'test', retry, details: makeDetails(said), point: undefined }
  const outcome = await ledger.post({ ...common, ...rest } as unknown as Command)
  assert.equal(
    outcome.kind,
    'done',
    JSON.stringify(outcome, (_key, value) => String(value)),
  )
  return outcome.kind === 'done' ? outcome.receipts.map(({ seq }) => seq) : []
}

/** An hour. */
export const forUs = 3_600_000_000n

/** Every type of entry, of members 1, 2 and 3. Returns the hold that is left open. */
export async function writeHistory(ledger: Ledger, realm: number): Promise<bigint> {
  const post1 = async (asked: Asked) => (await post(ledger, realm, asked))[0] ?? 0n
  await post1({ kind: 'opening', member: '1', tokens: 100n })
  await post1({ kind: 'adjust', member: '2', tokens: 50n, reason: 'a "gift", with,\ncommas', key: 'once' })
  await post1({ kind: 'adjust', member: '3', tokens: 5n, point: 'silver', reason: '=1+1' })
  const wrong = await post1({
    kind: 'transfer',
    member: '1',
    recipient: '2',
    tokens: 10n,
    reason: 'to be erased',
  })
  await post1({ kind: 'reverse', entry: wrong })
  const changes = ['1', '2', '3'].map((member) => ({ member, tokens: 1n, point: undefined }))
  await post1({ kind: 'batch', changes })
  const captured = await post1({ kind: 'hold', member: '1', tokens: 20n, forUs })
  await post1({ kind: 'capture', hold: captured, tokens: 15n })
  const released = await post1({ kind: 'hold', member: '2', tokens: 7n, forUs })
  await post1({ kind: 'release', hold: released })
  const promised = await post1({ kind: 'award', member: '3', tokens: 8n, reason: 'a parcel' })
  await post1({ kind: 'award', member: '3', tokens: 4n, grantUs: 4_000_000_000_000_000n })
  const cancelled = await post1({ kind: 'award', member: '1', tokens: 2n })
  await post1({ kind: 'grant', award: promised })
  await post1({ kind: 'cancel', award: cancelled })
  return post1({ kind: 'hold', member: '2', tokens: 9n, forUs })
}

export async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

export const csvOf = async (exports: Exports, realm: number, kind: 'members' | 'balances' | 'entries') =>
  textOf((await exports.csv(realm, kind)).chunks)

const tables = {
  members: 'account',
  wallets: 'match',
  balances: 'account, point',
  journal: 'seq',
  details: 'seq',
  holds: 'seq',
  awards: 'seq',
  erasures: 'seq',
  departures: 'account',
  points: 'number',
  settings: 'realm_id',
  heads: 'seq',
}

/** Every row of a realm, without the realm's number. */
export async function wholeOf(url: string, realmId: string): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = {}
  for (const [table, order] of Object.entries(tables)) {
    const rows = await rowsOf(
      url,
      `select (to_jsonb(t) - 'realm' - 'config_version')::text as row from ${table} t
        where realm = (select realm from realms where id = $1) order by ${order}`,
      [realmId],
    )
    whole[table] = rows.map(({ row }) => row)
  }
  return whole
}
