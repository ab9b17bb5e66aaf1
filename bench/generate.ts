import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { hashOf } from '../server/src/ledger/rules/chain.ts'
import { originHash } from '../server/src/realms/origin.ts'

/**
 * Loads realms with members, wallets and a valid journal by COPY, which verify accepts: faster than the
 * server.
 */

/** The target: the owner's URL, and the folder of psql. */
export type Target = { readonly binaries: string; readonly url: string }

export type Filling = {
  readonly realm: number
  readonly realmId: string
  readonly point: string
  readonly members: number
  /** Entries beyond each member's opening balance: half changes, half transfers. */
  readonly entries: number
  readonly wallets: boolean
  /** Where points lapse: when a member got its opening balance, and the day on which that lapses. */
  readonly dated?: ((account: number) => Dated) | undefined
}

export type Dated = { readonly atUs: bigint; readonly day: number }

export const opening = 1_000_000n

/** `write` returns a promise only when the reader is behind. */
export type Copy = { write(line: string): Promise<void> | undefined; end(): Promise<void> }

export type Tables = Readonly<Record<'members' | 'wallets' | 'balances' | 'journal', Copy>>

export function copy({ binaries, url }: Target, columns: string): Copy {
  const args = [url, '-qX', '-v', 'ON_ERROR_STOP=1', '-c', `copy exchequer.${columns} from stdin`]
  const psql = spawn(join(binaries, 'psql'), args, { stdio: ['pipe', 'inherit', 'inherit'] })
  const closed = once(psql, 'close')
  let buffer: string[] = []
  const flush = async () => {
    const ready = psql.stdin.write(buffer.join(''))
    buffer = []
    if (!ready) await once(psql.stdin, 'drain')
  }
  return {
    write(line) {
      buffer.push(line)
      return buffer.length >= 2_000 ? flush() : undefined
    },
    async end() {
      await flush()
      psql.stdin.end()
      const [code] = (await closed) as [number]
      if (code !== 0) throw new Error(`copy ${columns} failed`)
    },
  }
}

export async function psqlRun({ binaries, url }: Target, text: string): Promise<string> {
  const psql = spawn(join(binaries, 'psql'), [url, '-qXAt', '-v', 'ON_ERROR_STOP=1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  psql.stdout.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  psql.stdin.end(text)
  const [code] = (await once(psql, 'close')) as [number]
  if (code !== 0) throw new Error(`psql failed: ${text}`)
  return said
}

/** Created after a big journal is loaded, which takes a fraction of the time. */
export async function withoutHistoryIndexes(target: Target, work: () => Promise<void>): Promise<void> {
  const names = ['journal_from', 'journal_to'].map((name) => `exchequer.${name}`)
  // The definition of a partitioned table's index is of that table alone, without its partitions.
  const definition = (name: string) => `replace(pg_get_indexdef('${name}'::regclass), ' ON ONLY ', ' ON ')`
  const asked = names.map((name) => `select ${definition(name)} || ';';`)
  const made = await psqlRun(target, asked.join('\n'))
  await psqlRun(target, `drop index ${names.join(', ')};`)
  await work()
  await psqlRun(target, `set maintenance_work_mem = '1GB';\n${made}`)
}

/** A small pseudo-random generator with a seed. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

/** Fills realms one after the other, through one COPY for each table. */
export async function fill(target: Target, fillings: readonly Filling[]): Promise<void> {
  await withoutHistoryIndexes(target, () => load(target, fillings))
}

export function openTables(target: Target): Tables {
  const open = (columns: string) => copy(target, columns)
  return {
    members: open('members (realm, account, id)'),
    wallets: open('wallets (realm, match, account, address, chain)'),
    balances: open('balances (realm, account, point, balance, seq, at_us, lots)'),
    journal: open(
      'journal (realm, key, seq, at_us, amount, from_balance, to_balance, from_account, to_account, point, ' +
        'kind, encoding, hash, lots)',
    ),
  }
}

async function load(target: Target, fillings: readonly Filling[]): Promise<void> {
  const into = openTables(target)
  const heads: string[] = []
  for (const filling of fillings) heads.push(headUpdate(filling, await fillRealm(filling, into)))
  for (const table of Object.values(into)) await table.end()
  await psqlRun(target, heads.join(''))
}

/** The last entry of a realm's journal. */
export type LastEntry = { readonly seq: bigint; readonly hash: string; readonly atUs: bigint }

/** Fills a realm, except its head. */
export async function fillRealm(filling: Filling, into: Tables): Promise<LastEntry> {
  const { realm, members } = filling
  for (let account = 1; account <= members; account++) {
    await into.members.write(`${realm}\t${account}\t${account}\n`)
    if (!filling.wallets) continue
    const address = `0x${account.toString(16).padStart(40, '0')}`
    await into.wallets.write(`${realm}\t${address}\t${account}\t${address}\teip155\n`)
  }
  const { balances, lastSeqs, hash, seq, atUs } = await fillJournal(filling, into.journal)
  for (let account = 1; account <= members; account++) {
    const dated = filling.dated?.(account)
    const lots = dated ? lotOf(dated) : '\\N'
    const left = `${balances[account]}\t${lastSeqs[account]}\t${dated?.atUs ?? atUs}\t${lots}`
    await into.balances.write(`${realm}\t${account}\t1\t${left}\n`)
  }
  return { seq, hash, atUs }
}

const headUpdate = ({ realm, members }: Filling, { seq, hash, atUs }: LastEntry): string =>
  `update exchequer.heads set seq = ${seq}, hash = '\\x${hash}', at_us = ${atUs}, ` +
  `next_account = ${members + 1} where realm = ${realm};\n`

type Side = {
  readonly from: number
  readonly to: number
  readonly amount: bigint
  readonly kind: 1 | 2
  readonly dated?: Dated | undefined
}

const lotOf = ({ day }: Dated): string => `${day}:${opening}`

async function fillJournal(filling: Filling, rows: Copy) {
  const { realm, realmId, point, members, entries } = filling
  const random = randomFrom(realm)
  const balances = new BigInt64Array(members + 1)
  const lastSeqs = new BigInt64Array(members + 1)
  let hash = originHash(realmId)
  let seq = 0n
  const nowUs = BigInt(Date.now()) * 1000n
  let atUs = nowUs
  const add = async ({ from, to, amount, kind, dated }: Side) => {
    atUs = dated?.atUs ?? nowUs
    const lots = dated ? lotOf(dated) : null
    seq += 1n
    const move = (account: number, by: bigint) => {
      if (account === 0) return null
      balances[account] = (balances[account] ?? 0n) + by
      lastSeqs[account] = seq
      return balances[account]
    }
    const fromBalance = move(from, -amount)
    const toBalance = move(to, amount)
    const none = { request: null, fingerprint: null, detailsHash: null, link: null }
    const entry = { seq, atUs, kind, key: 0, point, from, to, amount, fromBalance, toBalance, ...none, lots }
    hash = hashOf(hash, entry)
    const sides = `${fromBalance ?? '\\N'}\t${toBalance ?? '\\N'}\t${from}\t${to}`
    const [encoding, stored] = lots === null ? [1, '\\N'] : [3, lots]
    const rest = `1\t${kind}\t${encoding}\t\\\\x${hash}\t${stored}`
    await rows.write(`${realm}\t0\t${seq}\t${atUs}\t${amount}\t${sides}\t${rest}\n`)
  }
  for (let account = 1; account <= members; account++)
    await add({ from: 0, to: account, amount: opening, kind: 1, dated: filling.dated?.(account) })
  for (let index = 0; index < entries; index++) {
    const member = 1 + Math.floor(random() * members)
    if (index % 2 === 0) await add({ from: 0, to: member, amount: 1n, kind: 1 })
    else await add({ from: member, to: (member % members) + 1, amount: 1n, kind: 2 })
  }
  return { balances, lastSeqs, hash, seq, atUs }
}
