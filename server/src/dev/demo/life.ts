import type { Point } from '../../realms/realm.ts'
import type { Books, Deed, DemoDetails } from './books.ts'
import { awards, hours, perDay, praises, tips, wares, weekdays } from './customs.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'

/**
 * What a community does for 90 days. Nothing here knows how points are stored: the ledger decides what is
 * valid.
 */
export const demoDays = 90

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The numbers of the realm's keys that act. */
const bot = 1
const shop = 2

export type Setting = {
  readonly random: Random
  readonly books: Books
  readonly people: readonly Person[]
  readonly gold: Point
  readonly praise: Point
  readonly untilMs: number
  /** A member that was credited on a stream before the person joined: merged later. */
  readonly viewer: { readonly id: string; readonly into: string }
  readonly onMerged: (merged: { readonly afterSeq: bigint; readonly entries: number; atMs: number }) => void
}

type Happening = { readonly atMs: number; readonly act: () => void }

/** Plans all events, then runs them in order of time. */
export class Life {
  readonly #setting: Setting
  readonly #plan: Happening[] = []
  #orders = 1_000
  #referrals = 0

  constructor(setting: Setting) {
    this.#setting = setting
  }

  live(): void {
    const { untilMs } = this.#setting
    const firstDayMs = Math.floor(untilMs / dayMs) * dayMs - (demoDays - 1) * dayMs
    this.#openings(firstDayMs)
    for (let day = 0; day < demoDays; day++) this.#day(firstDayMs + day * dayMs, day / demoDays)
    this.#lastHour()
    this.#frozen()
    this.#viewer()
    const due = this.#plan.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)
    for (const { act } of due) act()
  }

  #at(atMs: number, act: () => void): void {
    this.#plan.push({ atMs, act })
  }

  /** Earlier members bring a balance from another system. */
  #openings(atMs: number): void {
    const { random, books, people, gold } = this.#setting
    people.forEach(({ id, days, weight }, index) => {
      const tokens = Math.round(weight * 900 * (0.6 + random.share()))
      if (days <= demoDays || tokens < 5) return
      const opening = { kind: 'opening', key: 0, member: id, tokens: BigInt(tokens), point: gold.id } as const
      this.#at(atMs + index * 40, () => void books.post(atMs + index * 40, opening))
    })
  }

  #day(fromMs: number, grown: number): void {
    const { random } = this.#setting
    const weekday = new Date(fromMs).getUTCDay()
    const rhythm = weekdays[weekday] ?? 1
    const count = Math.round(perDay * rhythm * (0.75 + 0.5 * grown) * (0.85 + 0.3 * random.share()))
    for (let made = 0; made < count; made++) this.#something(fromMs + this.#timeOfDay())
    if (weekday === saturday) this.#trivia(fromMs + 20 * hourMs + random.whole(0, 20) * minuteMs)
    if (weekday === tuesday) this.#referral(fromMs + 12 * hourMs)
    if (weekday === sunday) this.#quest(fromMs + 18 * hourMs)
    this.#sweep(fromMs + 2_000)
  }

  /** Praise whose day has come lapses. */
  #sweep(atMs: number): void {
    const { books, people, praise } = this.#setting
    this.#at(atMs, () => {
      for (const { id: member } of people)
        books.post(atMs, { kind: 'lapse', key: 0, member, tokens: 0n, point: praise.id, config: 1 })
    })
  }

  #timeOfDay(): number {
    const { random } = this.#setting
    const weighed = hours.map((weight, hour) => ({ hour, weight }))
    const { hour } = random.weighed(weighed, ({ weight }) => weight)
    return (hour * 60 + random.whole(0, 59)) * minuteMs + random.whole(0, minuteMs - 1)
  }

  /** Activity gets denser towards now, so that recent views are not empty. */
  #lastHour(): void {
    const { random, untilMs } = this.#setting
    for (let step = 1; step <= 24; step++) {
      if (step % 8 === 0) this.#order(untilMs - step * step * 5_000, { open: true })
      else this.#award(untilMs - step * step * 5_000, random.chance(0.7))
    }
  }

  #something(atMs: number): void {
    const { random } = this.#setting
    const share = random.share()
    if (share < 0.46) this.#award(atMs, true)
    else if (share < 0.67) this.#award(atMs, false)
    else if (share < 0.85) this.#tip(atMs)
    else if (share < 0.945) this.#spend(atMs)
    else if (share < 0.994) this.#order(atMs, { open: false })
    else this.#mistake(atMs)
  }

  /** A member who had joined by then, busy ones more often. */
  #someone(atMs: number, but?: Person): Person {
    const { random, people, untilMs } = this.#setting
    const there = people.filter((one) => one !== but && one.days >= (untilMs - atMs) / dayMs)
    return random.weighed(there, ({ weight }) => weight)
  }

  #moderator(): string {
    const { random, people } = this.#setting
    return random.pick(people.slice(0, moderators)).id
  }

  #award(atMs: number, ofGold: boolean): void {
    const { random, gold, praise } = this.#setting
    const { id } = this.#someone(atMs)
    const { reason, tokens } = random.weighed<(typeof awards | typeof praises)[number]>(
      ofGold ? awards : praises,
      ({ weight }) => weight,
    )
    const by: DemoDetails = tokens >= 100 ? { actorId: this.#moderator() } : {}
    const point = ofGold ? gold.id : praise.id
    this.#post(
      atMs,
      { kind: 'adjust', key: bot, member: id, tokens: BigInt(tokens), point },
      { reason, ...by },
    )
  }

  #tip(atMs: number): void {
    const { random, books, gold } = this.#setting
    const giver = this.#someone(atMs)
    const { id: recipient } = this.#someone(atMs, giver)
    const reason = random.pick(tips)
    const wish = random.pick([5, 10, 10, 20, 25, 50, 100])
    this.#at(atMs, () => {
      // A member gives away at most a third of their balance.
      const third = Math.floor(books.balanceOf(giver.id, gold) / 3)
      const parties = { member: giver.id, recipient, tokens: BigInt(Math.min(wish, third)), point: gold.id }
      if (third < 1) return
      books.post(atMs, { kind: 'transfer', key: bot, ...parties }, reason === '' ? {} : { reason })
    })
  }

  #ware(): { readonly price: bigint; readonly said: DemoDetails } {
    const { random } = this.#setting
    const { item, reason, price } = random.weighed(wares, ({ weight }) => weight)
    this.#orders += 1
    const metadata = JSON.stringify({ item })
    return { price: BigInt(price), said: { reason, reference: `order-${this.#orders}`, metadata } }
  }

  #spend(atMs: number): void {
    const { id } = this.#someone(atMs)
    const { price, said } = this.#ware()
    const { gold } = this.#setting
    this.#post(atMs, { kind: 'adjust', key: shop, member: id, tokens: -price, point: gold.id }, said)
  }

  /** Points are held until the shop delivers, cancels, or the hold expires. */
  #order(atMs: number, { open }: { readonly open: boolean }): void {
    const { random, books, gold } = this.#setting
    const { id: member } = this.#someone(atMs)
    const { price: tokens, said } = this.#ware()
    const share = random.share()
    const endsMs = atMs + (share < 0.92 ? random.whole(4, 20 * 60) * minuteMs : holdMs + 400)
    let hold: bigint | undefined
    this.#at(atMs, () => {
      const forUs = BigInt(holdMs) * 1_000n
      hold = books.post(atMs, { kind: 'hold', key: shop, member, tokens, point: gold.id, forUs }, said)
    })
    if (open) return
    this.#at(endsMs, () => {
      if (hold === undefined) return
      if (share < 0.75) books.post(endsMs, { kind: 'capture', key: shop, hold, tokens: undefined })
      else if (share < 0.92) books.post(endsMs, { kind: 'release', key: shop, hold }, { reason: 'Sold out' })
      else books.post(endsMs, { kind: 'expire', key: 0, hold })
    })
  }

  /** An award to the wrong member, which is reversed. */
  #mistake(atMs: number): void {
    const { random, books, gold } = this.#setting
    const { id: member } = this.#someone(atMs)
    const actorId = this.#moderator()
    const noticedMs = atMs + random.whole(1, 90) * minuteMs
    let entry: bigint | undefined
    this.#at(atMs, () => {
      const award = { kind: 'adjust', key: bot, member, tokens: 120n, point: gold.id } as const
      entry = books.post(atMs, award, { reason: 'Wrote a guide', actorId })
    })
    this.#at(noticedMs, () => {
      if (entry === undefined) return
      books.post(
        noticedMs,
        { kind: 'reverse', key: bot, entry },
        { reason: 'Meant for someone else', actorId },
      )
    })
  }

  /** Saturday's winners, all at once. */
  #trivia(atMs: number): void {
    const prizes = [300n, 200n, 100n]
    this.#together(atMs, prizes, { reason: 'Trivia night: first, second, third' })
  }

  /** Points for an invited friend, who has two weeks to leave again. Of the last ones some are pending. */
  #referral(atMs: number): void {
    const { books, people, gold, untilMs } = this.#setting
    this.#referrals += 1
    const there = people.filter(({ days }) => days >= (untilMs - atMs) / dayMs)
    const { id: member } = there[(this.#referrals * 7) % there.length] ?? {}
    if (member === undefined) return
    const endsMs = atMs + 14 * dayMs
    const hasLeft = this.#referrals % 4 === 0
    let award: bigint | undefined
    this.#at(atMs, () => {
      const grantUs = BigInt(endsMs) * 1_000n
      const deed = { kind: 'award', key: bot, member, tokens: 75n, point: gold.id, grantUs } as const
      award = books.post(atMs, deed, { reason: 'Invited a friend' })
    })
    if (endsMs >= untilMs) return
    this.#at(hasLeft ? endsMs - dayMs : endsMs + 400, () => {
      if (award === undefined) return
      if (hasLeft) books.post(endsMs - dayMs, { kind: 'cancel', key: bot, award }, { reason: 'Left again' })
      else books.post(endsMs + 400, { kind: 'due', key: 0, award })
    })
  }

  #quest(atMs: number): void {
    this.#together(atMs, Array(8).fill(40n), { reason: 'Quest of the week' })
  }

  #together(atMs: number, prizes: readonly bigint[], said: DemoDetails): void {
    const winners = new Set<string>()
    for (let tries = 0; winners.size < prizes.length && tries < 100; tries++)
      winners.add(this.#someone(atMs).id)
    const point = this.#setting.gold.id
    const changes = Array.from(winners, (member, place) => ({ member, tokens: prizes[place] ?? 0n, point }))
    this.#post(atMs, { kind: 'batch', key: bot, changes }, { ...said, actorId: this.#moderator() })
  }

  #post(atMs: number, deed: Deed, said: DemoDetails): void {
    this.#at(atMs, () => void this.#setting.books.post(atMs, deed, said))
  }

  /** Thanked on a stream by name, until the name was linked to a member of the community. */
  #viewer(): void {
    const { books, gold, untilMs, viewer, onMerged } = this.#setting
    const givenMs = [32, 27, 21].map((days) => untilMs - days * dayMs + 3 * hourMs)
    for (const atMs of givenMs) {
      const award = { kind: 'adjust', key: bot, member: viewer.id, tokens: 15n, point: gold.id } as const
      this.#post(atMs, award, { reason: 'Raid on stream' })
    }
    const atMs = untilMs - 19 * dayMs
    this.#at(atMs, () => onMerged({ ...books.merge(atMs, viewer.id, viewer.into), atMs }))
  }

  #frozen(): void {
    const { books, people, untilMs } = this.#setting
    const frozen = people[frozenPlace]
    if (frozen) this.#at(untilMs - frozenDays * dayMs, () => books.freeze(frozen.id))
  }
}

const tuesday = 2
const saturday = 6
const sunday = 0
const moderators = 3
const holdMs = 2 * dayMs
/** One member is frozen. */
export const frozenPlace = 40
export const frozenDays = 5
