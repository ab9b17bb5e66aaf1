import { setTimeout as sleep } from 'node:timers/promises'
import { makeRealm, type RealmAccess } from '../../support/fixture.ts'
import { asRealm, manage } from '../../support/operator.ts'
import { operatorToken } from '../../support/process.ts'

/** A requested change, with everything needed to retry it. */
type Change = { readonly from: string; readonly to?: string; readonly tokens: number; readonly key: string }

/** An acknowledged change. */
export type AcknowledgedChange = Change & { readonly seq: number }

export const members = Array.from({ length: 20 }, (_, index) => String(1001 + index))
const firstPoints = 1_000_000
const writerCount = 4
/** Pause between two changes of a writer: this tests backups, not speed. */
const restMs = 10
/** How long a change that is answered 503 is retried, and at which interval. */
const patienceMs = 15_000
const retryMs = 500
/** Stops by itself after this time. */
const longestMs = 10 * 60_000

const memberAt = (index: number): string => members[index % members.length] ?? ''

/** A realm with members, a wallet and a key, created through the operator API. */
export async function makeBooks(baseUrl: string): Promise<RealmAccess> {
  const realm = await makeRealm({ baseUrl, token: operatorToken }, { name: 'Backup', point: { id: 'gold' } })
  const path = `/realms/${realm.id}/members`
  const body = { members: members.map((id) => ({ id, username: `member-${id}` })) }
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  const made = await manage(baseUrl, `POST ${path}`, body)
  const linked = await manage(baseUrl, `POST ${path}/${memberAt(0)}/wallets`, { address })
  if (made.status !== 200 || linked.status !== 201) throw new Error(`${made.text} ${linked.text}`)
  return realm
}

/**
 * Sends a change like every client should: while the database is too slow, it retries with the same
 * Idempotency-Key. The report lists each retry.
 */
export async function ask(baseUrl: string, realm: RealmAccess, { from, to, tokens, key }: Change) {
  const reason = `change ${key}`
  const path = `/members/${from}/${to === undefined ? 'tokenBalance' : 'transfer'}`
  const body = to === undefined ? { tokens, reason } : { tokens, reason, recipientId: to }
  const request = { line: `PATCH ${path}`, body, headers: { 'idempotency-key': key } }
  const endMs = performance.now() + patienceMs
  for (;;) {
    const answer = await asRealm(baseUrl, realm, request)
    if (answer.status !== 503 || performance.now() > endMs) return answer
    console.log(`  ${key} was answered 503 ${answer.json.code}, retrying`)
    await sleep(retryMs)
  }
}

/** The expected balance of every member after these changes, computed here and not by the server. */
export function balancesAfter(changes: readonly Change[]): Map<string, number> {
  const balances = new Map(members.map((member) => [member, 0]))
  const add = (member: string, tokens: number) => balances.set(member, (balances.get(member) ?? 0) + tokens)
  for (const { from, to, tokens } of changes) {
    add(from, to === undefined ? tokens : -tokens)
    if (to !== undefined) add(to, tokens)
  }
  return balances
}

/** Clients that change points continuously, and record what was acknowledged. */
export class Writer {
  readonly acknowledged: AcknowledgedChange[] = []
  readonly #baseUrl: string
  readonly #realm: RealmAccess
  #asked = 0
  #running: Promise<unknown> | undefined
  #stopping = false

  constructor(baseUrl: string, realm: RealmAccess) {
    this.#baseUrl = baseUrl
    this.#realm = realm
  }

  /** Credits every member with enough points for the run. */
  async endow(): Promise<void> {
    for (const from of members) await this.#post({ from, tokens: firstPoints, key: `first-${from}` })
  }

  start(): void {
    this.#stopping = false
    const writers = Array.from({ length: writerCount }, () => this.#write())
    this.#running = Promise.all(writers)
    // stop() reports a failure; until then it must not end the process.
    this.#running.catch(() => {})
  }

  /** Returns when every change that was sent is answered. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #write(): Promise<void> {
    const endMs = performance.now() + longestMs
    while (!this.#stopping && performance.now() < endMs) {
      const number = ++this.#asked
      const to = number % 3 === 0 ? { to: memberAt(number + 7) } : {}
      await this.#post({ from: memberAt(number), ...to, tokens: 1 + (number % 9), key: `change-${number}` })
      await sleep(restMs)
    }
  }

  async #post(change: Change): Promise<void> {
    const { status, json, text } = await ask(this.#baseUrl, this.#realm, change)
    if (status !== 200) throw new Error(`a change was answered ${status} ${text}`)
    this.acknowledged.push({ ...change, seq: Number(json.transactionId) })
  }
}
