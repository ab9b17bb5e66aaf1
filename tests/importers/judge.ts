import { setTimeout as sleep } from 'node:timers/promises'
import { cellsOf } from '../../cli/src/importers/csv.ts'
import type { Checks } from '../security/checks.ts'
import { call } from '../support/call.ts'
import { checkDeadline } from '../support/timeLimit.ts'

export type JudgedRealm = { readonly baseUrl: string; readonly id: string; readonly key: string }

type Line = {
  readonly member?: { readonly account: number; readonly id: string }
  readonly identity?: { readonly account: number; readonly provider: string; readonly subject: string }
  readonly entry?: { readonly type: string; readonly tokens: string; readonly toAccount: number | string }
}

export type Ledger = {
  /** By id, or identity: the sum of the member's entries in the journal. */
  readonly sums: ReadonlyMap<string, bigint>
  /** The same as the server's balances say. */
  readonly balances: ReadonlyMap<string, bigint>
  readonly entries: number
  /** Entries that are not openings, and openings of a member who has one. */
  readonly wrongEntries: number
}

/** A busy machine may answer 503, which is retried as clients do. */
async function exported({ baseUrl, id, key }: JudgedRealm, file: string): Promise<string> {
  const deadlineMs = performance.now() + 60_000
  for (;;) {
    const { status, text } = await call('GET', `${baseUrl}/api/v4/realms/${id}/export/${file}`, { key })
    if (status === 200) return text
    const words = `${file}: ${status} ${text.slice(0, 200)}`
    if (status !== 503) throw new Error(words)
    checkDeadline(deadlineMs, words)
    await sleep(500)
  }
}

/** Reads the whole realm: its journal, and what the server says of balances. */
export async function readLedger(realm: JudgedRealm): Promise<Ledger> {
  const lines = (await exported(realm, 'realm.ndjson'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
  const names = new Map<string, string>()
  const ids = new Map<string, string>()
  for (const { member } of lines) if (member) names.set(String(member.account), member.id)
  for (const { identity } of lines)
    if (identity) names.set(String(identity.account), `${identity.provider}:${identity.subject}`)
  for (const { member } of lines) if (member) ids.set(member.id, names.get(String(member.account)) ?? '')
  const sums = new Map([...names.values()].map((name) => [name, 0n]))
  const opened = new Set<string>()
  let entries = 0
  let wrongEntries = 0
  for (const { entry } of lines) {
    if (!entry) continue
    const name = names.get(String(entry.toAccount)) ?? 'unknown'
    entries += 1
    if (entry.type !== 'opening' || opened.has(name)) wrongEntries += 1
    opened.add(name)
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(entry.tokens))
  }
  const balances = new Map<string, bigint>()
  const [columns = [], ...rows] = cellsOf(await exported(realm, 'balances.csv'))
  const [idAt, balanceAt] = [columns.indexOf('id'), columns.findIndex((name) => name.startsWith('balance'))]
  const digitsIn = (cell = '') => cell.replaceAll(/\D/g, '')
  for (const row of rows)
    balances.set(ids.get(digitsIn(row[idAt])) ?? 'unknown', BigInt(digitsIn(row[balanceAt])))
  return { sums, balances, entries, wrongEntries }
}

const differences = (found: ReadonlyMap<string, bigint>, expected: ReadonlyMap<string, bigint>): string[] =>
  [...new Set([...found.keys(), ...expected.keys()])]
    .filter((name) => found.get(name) !== expected.get(name))
    .map((name) => `${name} has ${found.get(name)} instead of ${expected.get(name)}`)

/** Whether each member has exactly what the service had, by one entry. */
export async function judge(
  checks: Checks,
  realm: JudgedRealm,
  { expected, what }: { readonly expected: ReadonlyMap<string, bigint>; readonly what: string },
): Promise<void> {
  const { sums, balances, entries, wrongEntries } = await readLedger(realm)
  const wanted = [...expected.values()].filter((points) => points > 0n).length
  const wrong = differences(sums, expected)
  checks.check(
    wrong.length === 0,
    `${what}: the journal: ${wrong.length} differ: ${wrong.slice(0, 3).join(', ')}`,
  )
  const shown = differences(balances, expected)
  checks.check(
    shown.length === 0,
    `${what}: balances: ${shown.length} differ: ${shown.slice(0, 3).join(', ')}`,
  )
  checks.check(entries === wanted, `${what}: ${entries} entries instead of ${wanted}`)
  checks.check(wrongEntries === 0, `${what}: ${wrongEntries} entries that are not one opening each`)
}
