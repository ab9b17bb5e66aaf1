import { parseAddress } from '../../wallets/address.ts'
import type { Random } from './random.ts'

/** A fictional person. */
export type Person = {
  readonly id: string
  readonly username: string
  readonly displayName: string | null
  /** Days since they joined, before the end; more than the demo's days for earlier members. */
  readonly days: number
  /** Their share of all events. */
  readonly weight: number
  readonly wallets: readonly string[]
}

/** The members that README.md and the guide name, each at a fixed rank. */
const known = [
  {
    id: '1190194345295482952',
    username: 'ada',
    displayName: 'Ada',
    place: 3,
    wallets: ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  },
  {
    id: '1190194345295482953',
    username: 'grace',
    displayName: 'Grace',
    place: 7,
    wallets: ['7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'],
  },
  { id: '1190194345295482954', username: 'linus', displayName: 'Linus', place: 19, wallets: [] },
  { id: '1190194345295482955', username: 'margaret', displayName: 'Margaret', place: 58, wallets: [] },
] as const

export const firstMember = known[0].id

const memberCount = 180
/** As in most communities: the second does half as much as the first, or somewhat more. */
const steepness = 0.85

const ways = (
  'amber brisk cedar copper cosmic crimson dapper dusty electric fuzzy gentle golden hazy hollow humble ' +
  'indigo jolly lunar mellow midnight misty mossy nimble paper pixel plucky quiet rusty salty silver ' +
  'sleepy solar spicy starry sunny tidal velvet wandering wild witty'
).split(' ')
const beings = (
  'badger biscuit bramble comet compass cricket dumpling ember falcon fern fox gecko harbor heron kettle ' +
  'kiwi lantern lemur lynx maple marmot moth noodle otter owl pebble penguin pickle puffin raven robin ' +
  'rocket sparrow sprout teapot thistle tulip turnip walrus wren'
).split(' ')

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

function nameOf(random: Random): Pick<Person, 'username' | 'displayName'> {
  const [way, being] = [random.pick(ways), random.pick(beings)]
  const username = random.pick([
    `${way}${being}`,
    `${way}_${being}`,
    `${way}.${being}`,
    `${being}${random.whole(2, 99)}`,
  ])
  const displayName = random.pick([
    `${capital(way)} ${capital(being)}`,
    capital(being),
    `${way} ${being}`,
    null,
  ])
  return { username, displayName }
}

const snowflakeEpochMs = Date.UTC(2015, 0, 1)

/** An id as a chat service generates it: the time of sign-up, and a number. */
function idOf(random: Random): string {
  const atMs = Date.UTC(2016, 0, 1) + Math.floor(random.share() * 9 * 365 * 86_400_000)
  return String((BigInt(atMs - snowflakeEpochMs) << 22n) | BigInt(random.whole(1, 2 ** 22 - 1)))
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function walletOf(random: Random): string {
  if (random.chance(0.7)) return `0x${random.bytes(20).toString('hex')}`
  let [rest, text] = [BigInt(`0x01${random.bytes(31).toString('hex')}`), '']
  for (; rest > 0n; rest /= 58n) text = base58.charAt(Number(rest % 58n)) + text
  return text
}

/** A wallet in its stored form; generated here, so it must be valid. */
export function addressOf(text: string) {
  const address = parseAddress(text)
  if (!address) throw new Error(`${text} is not a wallet`)
  return address
}

const daysOf = (random: Random): number =>
  random.chance(0.55) ? 91 + random.share() * 800 : 1 + random.share() * 88

/** The community's members, busiest first; names and ids are unique. */
export function makePeople(random: Random): Person[] {
  const people: Person[] = []
  const taken = new Set<string>(known.flatMap(({ id, username }) => [id, username]))
  for (let place = 1; people.length < memberCount; place = people.length + 1) {
    const weight = 1 / place ** steepness
    const named = known.find((one) => one.place === place)
    if (named) {
      const { place: _place, ...rest } = named
      people.push({ ...rest, days: 400, weight })
      continue
    }
    const [id, name] = [idOf(random), nameOf(random)]
    if (taken.has(id) || taken.has(name.username)) continue
    taken.add(id).add(name.username)
    const count = random.chance(0.4) ? random.whole(1, 2) : 0
    const wallets = Array.from({ length: count }, () => walletOf(random))
    people.push({ id, ...name, days: daysOf(random), weight, wallets })
  }
  return people
}
