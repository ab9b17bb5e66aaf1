import { type Realm, RefusedError } from '@exchequer/sdk'
import { pointTypeOf } from '../commands/command.ts'
import type { Names } from '../names.ts'
import type { Guild } from '../settings.ts'
import { type Activity, dayOf, keyOf, referenceOf, type Slot, slotOf } from './activity.ts'
import type { GatewaySettings, Rule } from './settings.ts'

/** A Discord server's realm. */
export type Place = { readonly guild: Guild; readonly realm: Realm; readonly names: Names }

/** The slots of a member that are taken, and when the activity of the last one was. */
type Taken = { readonly day: string; readonly count: number; readonly lastAtMs: number }

const knownCap = 10_000
const hourMs = 3_600_000
/** The most entries of a member that are read to find its last slot. */
const entriesCap = 5_000
const pageSize = 100

const reasons = { message: 'messages', voice: 'voice time' } as const

/**
 * Awards by numbered slots. A member has `mostPerDay` slots in a day, each with one Idempotency-Key, and the
 * ledger has each key once. Slot n is only tried by a process that knows that slots 1 to n-1 are of other
 * activities, and a slot never changes: so an activity has one slot at most, also with several processes,
 * replays and crashes, and a day has no more awards than slots.
 */
export class Slots {
  readonly #places: ReadonlyMap<string, Place>
  readonly #rules: GatewaySettings['rules']
  /** What is known of the ledger; what is missing here is read from it. */
  readonly #taken = new Map<string, Taken>()

  constructor(places: ReadonlyMap<string, Place>, rules: GatewaySettings['rules']) {
    this.#places = places
    this.#rules = rules
  }

  /** Whether it earns nothing by what is known, without a request. */
  isOver(activity: Activity): boolean {
    const rule = this.#rules[activity.kind]
    const taken = this.#taken.get(nameOf(activity))
    return !rule || (taken !== undefined && isOver(activity, onDay(taken, activity), rule))
  }

  /** Calls for one member are made one after the other. After an error the same call can be made again. */
  async award(activity: Activity): Promise<'awarded' | 'over'> {
    const place = this.#places.get(activity.guildId)
    const rule = this.#rules[activity.kind]
    if (!place || !rule) return 'over'
    await place.names.keep(activity.user)
    let taken = onDay(this.#taken.get(nameOf(activity)) ?? (await read(place, activity)), activity)
    while (!isOver(activity, taken, rule)) {
      const number = taken.count + 1
      const outcome = await post(place, activity, { number, tokens: rule.tokens })
      if (outcome === 'awarded') {
        this.#know(activity, { ...taken, count: number, lastAtMs: activity.atMs })
        return 'awarded'
      }
      const held = { ...taken, count: number }
      if (outcome instanceof Error) {
        // The ledger remembers the rejection under this key for the rest of the day.
        this.#know(activity, held)
        throw outcome
      }
      const found = onDay(await read(place, activity), activity)
      taken = found.day === taken.day && found.count < number ? held : found
    }
    this.#know(activity, taken)
    return 'over'
  }

  #know(activity: Activity, taken: Taken): void {
    const name = nameOf(activity)
    this.#taken.delete(name)
    const [oldest] = this.#taken.size >= knownCap ? this.#taken.keys() : []
    if (oldest !== undefined) this.#taken.delete(oldest)
    this.#taken.set(name, taken)
  }
}

/** What is awarded one after the other. */
export const nameOf = ({ kind, guildId, user }: Activity): string => `${kind}:${guildId}:${user.id}`

/** Days do not share slots; the time between two activities also counts across midnight. */
function onDay(taken: Taken, { atMs }: Activity): Taken {
  const day = dayOf(atMs)
  return taken.day < day ? { ...taken, day, count: 0 } : taken
}

const isOver = ({ atMs }: Activity, { day, count, lastAtMs }: Taken, rule: Rule): boolean =>
  day > dayOf(atMs) || count >= rule.mostPerDay || atMs < lastAtMs + rule.spacingMs

type Attempt = { readonly number: number; readonly tokens: number }

/** `taken`: another activity has the slot. An error: the ledger's rules reject the award. */
async function post(place: Place, activity: Activity, { number, tokens }: Attempt) {
  const day = dayOf(activity.atMs)
  try {
    await place.realm.member(activity.user.id).adjust(tokens, {
      ...pointTypeOf(place.guild),
      idempotencyKey: keyOf(activity, day, number),
      reason: reasons[activity.kind],
      reference: referenceOf(activity, day, number),
    })
    return 'awarded'
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error
    return error.code === 'idempotency_key_reused' ? 'taken' : error
  }
}

/** From the member's history, newest first. An award can be posted late, but not on a day before its own. */
async function read({ guild, realm }: Place, activity: Activity): Promise<Taken> {
  const day = dayOf(activity.atMs)
  const from = new Date(Date.parse(day) - hourMs).toISOString()
  const filter = { ...pointTypeOf(guild), from, direction: 'in', limit: pageSize } as const
  const list = realm.member(activity.user.id).history(filter)
  const none: Taken = { day, count: 0, lastAtMs: 0 }
  let last: Slot | undefined
  let entries = 0
  for await (const { reference } of list) {
    last = slotOf(reference, activity)
    entries += 1
    if (last || entries >= entriesCap) break
  }
  return last ? { day: last.day, count: last.number, lastAtMs: last.atMs } : none
}
