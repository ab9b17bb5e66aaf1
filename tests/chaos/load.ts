import { setTimeout as sleep } from 'node:timers/promises'
import { type Access, Client } from './client.ts'
import { type Change, type Diary, type DiaryEntry, isDefinite } from './diary.ts'
import { Random } from './random.ts'

/** Members of the busy realm. The first one is hot: every third change is of that member. */
export const everyone = Array.from({ length: 51 }, (_, index) => String(index + 1))
const hotShare = 1 / 3
/** Of the closed realm, where points only change hands: their sum never changes. */
const closedMembers = everyone.slice(0, 10)
const closedShare = 0.2
const transferShare = 0.4
const keyedShare = 0.85
/** Requests that must be rejected: more than any member has, or for an unknown member. */
const vainShare = 0.04
/** Amounts are request numbers. These are added to those that fund a member, or ask for too much. */
const funding = 1e12
const tooMuch = 1e15
const unknownMember = '999999'
/** A client's pause after each response, and before each retry. */
const thinkMs = 40
const pauseMs = [50, 200] as const
/** How long after the end clients keep retrying changes with an unknown outcome. */
const settleMs = 45_000
/** How long a change is retried, and after which time a client stops by itself. */
const carryMs = 10 * 60_000
const longestMs = 60 * 60_000

export type LoadOptions = {
  readonly urls: readonly string[]
  readonly realms: { readonly busy: Access; readonly closed: Access }
  readonly diary: Diary
  readonly seed: number
  readonly clients?: number
  /** How many of the requests carry an Idempotency-Key. */
  readonly keyedShare?: number
  /** A planted bug: a retry uses another key. */
  readonly forgetsKey?: boolean
}

/** Waits for a change of this realm that is sent after this time. */
type Waiter = { realm: string; sentAfterMs: number; resolve: (atMs: number) => void }

/** Clients that change points continuously, and retry failed requests until they know the outcome. */
export class Load {
  readonly #options: LoadOptions
  readonly #clients: Client[]
  #nextId = 1
  #over = false
  #giveUpAtMs = Number.POSITIVE_INFINITY
  #running: Promise<void>[] = []
  #ackedAtMs = performance.now()
  #waiters: Waiter[] = []
  /** Of each realm: when it last acknowledged a write, and the longest time without one. */
  readonly #gaps = new Map<string, { ackedAtMs: number; longestMs: number }>()
  acknowledged = 0
  /** Connections that broke during a request, and responses of a load balancer. */
  broken = 0
  longestGapMs = 0
  /** The total balance of the closed realm, once it is funded. */
  closedSum = 0n

  constructor(options: LoadOptions) {
    this.#options = options
    const access = new Map(Object.values(options.realms).map((realm) => [realm.id, realm]))
    const count = options.clients ?? 48
    this.#clients = Array.from({ length: count }, (_, turn) => new Client(options.urls, access, turn))
  }

  /** Funds every member, then starts the clients. */
  async start(): Promise<void> {
    const { busy, closed } = this.#options.realms
    const funded = [
      ...everyone.map((member) => ({ realm: busy.id, member })),
      ...closedMembers.map((member) => ({ realm: closed.id, member })),
    ]
    await Promise.all(
      funded.map(({ realm, member }, place) => {
        const id = this.#nextId++
        const change = { id, realm, member, to: undefined, amount: funding + id, keyed: true }
        if (realm === closed.id) this.closedSum += BigInt(change.amount)
        return this.#carry(change, this.#client(place), new Random(this.#options.seed, `fund ${place}`))
      }),
    )
    this.longestGapMs = 0
    this.#ackedAtMs = performance.now()
    this.#running = this.#clients.map((client, place) => this.#run(client, place))
  }

  /** Sends no more requests, and waits until each one has ended or can't be settled. */
  async stop(): Promise<void> {
    this.#over = true
    this.#giveUpAtMs = performance.now() + settleMs
    await Promise.all(this.#running)
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  /** The time until each realm has acknowledged a change that was sent from now on. */
  async untilAcknowledged(capMs = 60_000): Promise<number> {
    const sentAfterMs = performance.now()
    const acked = Object.values(this.#options.realms).map(
      ({ id: realm }) =>
        new Promise<number>((resolve) => {
          this.#waiters.push({ realm, sentAfterMs, resolve })
        }),
    )
    const late = sleep(capMs, [Number.POSITIVE_INFINITY], { ref: false })
    return Math.max(...(await Promise.race([Promise.all(acked), late]))) - sentAfterMs
  }

  /** Measures from now on how long a realm is without an acknowledged write. */
  watchGap(realm: string): void {
    this.#gaps.set(realm, { ackedAtMs: performance.now(), longestMs: 0 })
  }

  /** The longest time that this realm was without one, up to now. */
  longestGapOf(realm: string): number {
    const gap = this.#gaps.get(realm)
    return gap ? Math.max(gap.longestMs, performance.now() - gap.ackedAtMs) : Number.POSITIVE_INFINITY
  }

  #client(place: number): Client {
    const client = this.#clients[place % this.#clients.length]
    if (!client) throw new Error('no clients')
    return client
  }

  async #run(client: Client, place: number): Promise<void> {
    const random = new Random(this.#options.seed, `client ${place}`)
    const endMs = performance.now() + longestMs
    while (!this.#over && performance.now() < endMs) {
      await this.#carry(this.#draw(random), client, random)
      await sleep(random.between(0, thinkMs))
    }
  }

  #draw(random: Random): Change {
    const id = this.#nextId++
    const keyed = random.chance(this.#options.keyedShare ?? keyedShare)
    const { busy, closed } = this.#options.realms
    if (random.chance(closedShare)) {
      const [member, to] = two(random, closedMembers)
      return { id, realm: closed.id, member, to, amount: id, keyed }
    }
    const [cold, other] = two(random, everyone)
    const member = random.chance(hotShare) ? '1' : cold
    const common = { id, realm: busy.id, member, keyed }
    const vain = random.chance(vainShare)
    if (random.chance(transferShare)) {
      const to = vain ? unknownMember : member === other ? cold : other
      return { ...common, to, amount: id }
    }
    if (vain) return { ...common, to: undefined, amount: -(tooMuch + id) }
    return { ...common, to: undefined, amount: random.chance(0.5) ? id : -id }
  }

  async #carry(change: Change, client: Client, random: Random): Promise<void> {
    const { diary, forgetsKey } = this.#options
    await diary.write({ ask: change })
    const endMs = performance.now() + carryMs
    for (let attempt = 1; ; attempt++) {
      const sentMs = performance.now()
      const key = forgetsKey ? `${this.#keyOf(change)}-${attempt}` : this.#keyOf(change)
      const got = await client.send(change, change.keyed ? key : undefined)
      await diary.write({ id: change.id, attempt, got })
      if (got.status === 0) this.broken += 1
      if (got.status === 200) this.#acked(change.realm, sentMs)
      const isOver = performance.now() > Math.min(this.#giveUpAtMs, endMs)
      if (isDefinite(got) || !change.keyed || isOver) return
      await sleep(random.between(...pauseMs))
    }
  }

  /** Retries some acknowledged changes: each must return the first response. Returns the problems. */
  async askAgain(acknowledged: readonly DiaryEntry[]): Promise<string[]> {
    const wrong: string[] = []
    for (const { change, answers } of acknowledged) {
      const first = answers.find(({ status }) => status === 200)
      const got = await this.#client(change.id).send(change, this.#keyOf(change))
      if (got.body !== first?.body)
        wrong.push(`answer: request ${change.id} was answered ${first?.body}, and again ${got.body}`)
    }
    return wrong
  }

  #keyOf({ id }: Change): string {
    return `chaos-${this.#options.seed}-${id}`
  }

  #acked(realm: string, sentMs: number): void {
    const nowMs = performance.now()
    this.acknowledged += 1
    if (!this.#over) this.longestGapMs = Math.max(this.longestGapMs, nowMs - this.#ackedAtMs)
    this.#ackedAtMs = nowMs
    const gap = this.#gaps.get(realm)
    if (gap) {
      gap.longestMs = Math.max(gap.longestMs, nowMs - gap.ackedAtMs)
      gap.ackedAtMs = nowMs
    }
    this.#waiters = this.#waiters.filter((waiter) => {
      const answered = waiter.realm === realm && sentMs >= waiter.sentAfterMs
      if (answered) waiter.resolve(nowMs)
      return !answered
    })
  }
}

function two(random: Random, from: readonly string[]): [string, string] {
  const first = random.pick(from)
  return [first, random.pick(from.filter((one) => one !== first))]
}
