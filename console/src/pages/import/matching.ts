import type { PointKind } from '../../realm.tsx'

/** The target of a column: one of these, or `balance:` and a point type. Empty skips the column. */
export type Target = '' | 'id' | 'username' | 'displayName' | 'wallet' | 'chain' | `balance:${string}`

export const plainTargets = ['id', 'username', 'displayName', 'wallet', 'chain'] as const

const names: Readonly<Record<(typeof plainTargets)[number] | 'balance:', readonly string[]>> = {
  id: [
    'id',
    'memberid',
    'userid',
    'discordid',
    'discorduserid',
    'uid',
    'snowflake',
    'mitgliedid',
    'mitglied',
  ],
  username: ['username', 'user', 'name', 'handle', 'login', 'benutzername', 'benutzer'],
  displayName: ['displayname', 'nickname', 'nick', 'globalname', 'anzeigename', 'spitzname'],
  wallet: ['wallet', 'wallets', 'address', 'addresses', 'walletaddress', 'adresse'],
  chain: ['chain', 'chainid', 'network', 'netzwerk'],
  'balance:': ['balance', 'points', 'tokens', 'amount', 'score', 'xp', 'tokenbalance', 'guthaben', 'punkte'],
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}:]/gu, '')

/** The suggested target of each column, by its name; each target goes to the first column that fits. */
export function guessTargets(headers: readonly string[], kinds: readonly PointKind[]): readonly Target[] {
  const taken = new Set<Target>()
  return headers.map((header) => {
    const target = guess(header, kinds)
    if (target === '' || taken.has(target)) return ''
    taken.add(target)
    return target
  })
}

function guess(header: string, kinds: readonly PointKind[]): Target {
  const name = plain(header)
  const [, point] = /^balance:(.+)$/i.exec(header.trim()) ?? []
  const kind = kinds.find(({ id, name: called }) => id === point || plain(called) === name)
  if (kind) return `balance:${kind.id}`
  for (const target of plainTargets) if (names[target].includes(name)) return target
  const [first] = kinds
  return first && names['balance:'].includes(name) ? `balance:${first.id}` : ''
}

/** Column names are words; a first line that contains numbers is a row. */
export const looksLikeRow = (cells: readonly string[]): boolean =>
  cells.some((cell) => /^(=")?[0-9]+([.,][0-9]+)?([eE]\+?[0-9]+)?"?$/.test(cell.trim()))

export type MatchFault =
  | { readonly name: 'needsId' }
  | { readonly name: 'twice'; readonly target: Exclude<Target, ''> }

export function matchFault(targets: readonly Target[]): MatchFault | undefined {
  if (!targets.includes('id')) return { name: 'needsId' }
  const twice = targets.find((one, nth) => one !== '' && targets.indexOf(one) !== nth)
  return twice ? { name: 'twice', target: twice } : undefined
}
