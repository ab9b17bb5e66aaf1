import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Session } from '../../src/db/session.ts'
import { loadState } from '../../src/ledger/lane/loadState.ts'
import type { Command } from '../../src/ledger/rules/command.ts'
import type { RealmConfig } from '../../src/realms/realm.ts'
import { plainPoint } from './memoryTables.ts'

const point = { ...plainPoint('gold', 1), maxPerDay: 1_000n }
const config: RealmConfig = {
  version: 1,
  id: 'realm',
  name: 'Realm',
  logo: null,
  colours: null,
  timeZone: 'UTC',
  publicBoard: false,
  unknownMembers: 'refuse',
  hasMerges: false,
  suspended: null,
  defaultPoint: point,
  points: new Map([['gold', point]]),
}

const common = { realm: 1, key: 1, requestId: 'r', retry: undefined, details: undefined } as const
const ofMember = {
  ...common,
  member: '1',
  tokens: 1n,
  point: undefined,
  ifMatch: [{ seq: 1n, account: 1 }],
} as const
const commands: readonly Command[] = [
  { ...ofMember, kind: 'adjust' },
  { ...ofMember, kind: 'transfer', recipient: '2' },
  { ...common, kind: 'reverse', entry: 5n },
  { ...common, kind: 'hold', member: '1', tokens: 1n, point: undefined, forUs: 1n },
  { ...common, kind: 'capture', hold: 7n, tokens: undefined },
  { ...common, kind: 'release', hold: 7n },
]

/** The rows that each statement requests, as one text for each. */
async function asked(batch: readonly Command[]): Promise<Map<string, string[]>> {
  const rows = new Map<string, string[]>()
  const query = async ({ name }: { name: string }, values: readonly string[] = []) => {
    const columns = values.map((value) => value.slice(1, -1).split(','))
    rows.set(name, columns[0]?.map((_, index) => columns.map((column) => column[index]).join(' ')) ?? [])
    return { rows: [], command: 'SELECT', count: 0 }
  }
  await loadState({ query } as unknown as Session, batch, new Map([[1, config]]))
  return rows
}

it('under the lock each row is read once, however many commands of a batch need it', async () => {
  const one = await asked(commands)
  const many = await asked(Array.from({ length: 500 }, () => commands).flat())
  assert.deepEqual(
    [...one.keys()].sort(),
    ['given', 'held', 'holds', 'originals', 'parties', 'versions'].map((what) => `ledger_read_${what}`),
  )
  assert.deepEqual(many, one)
})
