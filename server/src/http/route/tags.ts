/** Tags of the OpenAPI document, in the order in which the reference shows them. */
export const tags = {
  Members: 'The holders of points: ids, names, balances and profiles.',
  Points: 'Award, deduct and transfer points, one change at a time or in lists.',
  Holds: 'Reserve points now, and charge or release them later.',
  Awards: 'Promise points now, and grant or cancel them later.',
  Journal: 'Every change, in order and hash-chained. Entries can be reversed.',
  Webhooks: 'Events sent to your own server: endpoints, their deliveries, replays and secrets.',
  Leaderboard: 'Ranks and statistics of a realm.',
  'Point types': 'A realm’s point types, with their rules and limits.',
  Wallets: 'Wallet addresses linked to members, with or without proof of ownership.',
  Collections: 'On-chain tokens whose holders a realm tracks.',
  Snapshots: 'Balances at one journal entry, as a Merkle tree that a contract can verify.',
  Realm: 'The realm that a key belongs to.',
  Keys: 'API keys: scopes, expiry and rotation.',
  People: 'People who manage a realm, and their roles.',
  Invitations: 'Invitations to manage a realm.',
  Audit: 'Who changed what in a realm, other than points.',
  'Import and export': 'A realm’s members, balances and entries as files.',
  Realms: 'All realms of the installation, and their keys; for the operator.',
  'Operator tokens': 'Tokens for the operator’s programs.',
  Operators: 'People who run the installation.',
  Installation: 'Health and audit log of the installation; for the operator.',
  'Public leaderboards': 'Leaderboards that are public, without a key.',
  'Wallet links': 'The page where a member links a wallet.',
  Console: 'Console sessions and sign-in.',
  Service: 'Probes, documentation and the keys of checkpoints; no key is needed.',
} as const

export type Tag = keyof typeof tags

/** The sections that the reference shows tags in. */
export const tagGroups: readonly { readonly name: string; readonly tags: readonly Tag[] }[] = [
  {
    name: 'Ledger',
    tags: ['Members', 'Points', 'Holds', 'Awards', 'Journal', 'Webhooks', 'Leaderboard', 'Point types'],
  },
  { name: 'Web3', tags: ['Wallets', 'Collections', 'Snapshots'] },
  { name: 'Realm', tags: ['Realm', 'Keys', 'People', 'Invitations', 'Audit', 'Import and export'] },
  { name: 'Operator', tags: ['Realms', 'Operator tokens', 'Operators', 'Installation'] },
  { name: 'Without a key', tags: ['Public leaderboards', 'Wallet links', 'Console', 'Service'] },
]
