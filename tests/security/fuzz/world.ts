import fc from 'fast-check'
import type { SecretName } from './draft.ts'
import type { Known } from './values.ts'

/** Two realms that must be isolated from each other, and a yard where the operator may change anything. */
export type RealmName = 'amber' | 'beryl'

type Realm = {
  readonly id: string
  readonly point: string
  readonly names: readonly string[]
  readonly wallet: string
  /** The balance of members that are never drawn: it must not appear anywhere else. */
  readonly vault: { readonly id: string; readonly points: number }
  readonly unknownMembers: 'refuse' | 'create'
}

export const realms: Readonly<Record<RealmName, Realm>> = {
  amber: {
    id: 'amber-41d6c0de',
    point: 'ambergold',
    names: ['amberuser', 'Amber Person'],
    wallet: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    vault: { id: '771190194345295411', points: 8_123_456_789_011 },
    unknownMembers: 'refuse',
  },
  beryl: {
    id: 'beryl-7b1df00d',
    point: 'berylgold',
    names: ['beryluser', 'Beryl Person'],
    wallet: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    vault: { id: '771190194345295422', points: 8_123_456_789_022 },
    unknownMembers: 'create',
  },
}

export const yard = 'yard'

/** The token that every wallet holds; the chain is a fake of a few lines. */
export const coin = `0x${'c'.repeat(40)}`
export const chain = 'eip155:1'
export const coinCollection = 'coin'
/** A receiver of webhooks that does not exist: the connection is refused at once. */
export const deafUrl = 'http://127.0.0.1:9/events'

/** The same ids in both realms, so that a leak from one to the other finds a member. */
export const memberIds = Array.from({ length: 12 }, (_, place) =>
  String(1190194345295482952n + BigInt(place)),
)
/** Members without points, who can be removed and erased. */
export const passersBy = Array.from({ length: 200 }, (_, place) =>
  String(1190194345295490000n + BigInt(place)),
)
export const openingPoints = 100_000

/** Which key grants access to which realm. */
export const keyRealm: Readonly<Partial<Record<SecretName, RealmName>>> = {
  own: 'amber',
  canary: 'amber',
  other: 'beryl',
}

/** Texts that reveal a realm's data, wherever they appear. */
export function marksOf(realm: RealmName): string[] {
  const { id, point, names, wallet, vault } = realms[realm]
  return [id, point, ...names, wallet, vault.id, String(vault.points)]
}

/** Those that even a public board does not contain: it shows names and scores. */
export const marksOffBoard = (realm: RealmName): string[] => [realms[realm].wallet, realms[realm].vault.id]

const someone = fc.constantFrom(...memberIds)
const wallets = [
  realms.amber.wallet,
  realms.beryl.wallet,
  realms.amber.wallet.toLowerCase(),
  '0x00',
  'nowallet',
]

/** Wallets that any key may link: they reveal no realm. */
const unmarked = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x00',
  'nowallet',
]

/** Values that exist, by field name. */
export const known: Known = {
  tokens: fc.integer({ min: -20, max: 60 }).map(String),
  recipientId: fc.tuple(someone, fc.boolean()).map(([id, text]) => (text ? `"${id}"` : id)),
  actorId: someone,
  realmPointId: fc.constantFrom(...Object.values(realms).map(({ point }) => `"${point}"`), '"silver"'),
  defaultPoint: fc.constant('"yardgold"'),
  // A suspended realm would answer every later write the same.
  suspended: fc.constant('null'),
  wallets: fc
    .array(fc.constantFrom(...wallets), { minLength: 1, maxLength: 5 })
    .map((all) => JSON.stringify(all)),
  address: fc.constantFrom(...unmarked).map((one) => JSON.stringify(one)),
  metadata: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify({ value })),
}

export const knownSegments = {
  // Not the first three keys of a realm: the fuzzer itself uses those.
  keyID: fc.integer({ min: 4, max: 40 }).map(String),
  tokenID: fc.integer({ min: 1, max: 400 }).map(String),
  transactionID: fc.integer({ min: 1, max: 400 }).map(String),
  address: fc.constantFrom(...wallets, ...unmarked),
  realmPointId: fc.constantFrom(...Object.values(realms).map(({ point }) => point), 'silver'),
} as const
