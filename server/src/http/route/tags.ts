/** What the document sorts operations by, in the order in which a reader wants them. */
export const tags = {
  Members: 'Who has points: ids, names, balances and what is known of them.',
  Points: 'Award, deduct and transfer points, one change at a time or many.',
  Holds: 'Reserve points now, and charge or release them later.',
  Journal: 'Every change ever made, in order and hash-chained, and how to reverse one.',
  Leaderboard: 'Ranks and statistics of a realm.',
  'Point types': 'The kinds of points that a realm has.',
  Wallets: 'Addresses that belong to members, with or without proof.',
  Collections: 'Tokens on chain whose holders a realm knows.',
  Snapshots: 'Balances as of one entry, as a Merkle tree that a contract can check.',
  Realm: 'The realm that a key belongs to.',
  Keys: 'What programs authenticate with: scopes, expiry, rotation.',
  People: 'People who manage a realm, and their roles.',
  Invitations: 'Invitations to manage a realm.',
  Audit: 'Who changed what in a realm, beside points.',
  'Import and export': 'A realm’s members, balances and entries as files.',
  Realms: 'Every realm of an installation, and its keys; for the operator.',
  'Operator tokens': 'What programs of the operator authenticate with.',
  Operators: 'People who run the installation.',
  Installation: 'Health and audit log of the installation; for the operator.',
  'Public leaderboards': 'Leaderboards that a realm shows without a key.',
  'Wallet links': 'The page on which a member links a wallet.',
  Console: 'Sessions of people who sign in to the console.',
  Service: 'Probes and documentation; no key is needed.',
} as const

export type Tag = keyof typeof tags

/** The sections that the reference shows tags in. */
export const tagGroups: readonly { readonly name: string; readonly tags: readonly Tag[] }[] = [
  { name: 'Ledger', tags: ['Members', 'Points', 'Holds', 'Journal', 'Leaderboard', 'Point types'] },
  { name: 'Web3', tags: ['Wallets', 'Collections', 'Snapshots'] },
  { name: 'Realm', tags: ['Realm', 'Keys', 'People', 'Invitations', 'Audit', 'Import and export'] },
  { name: 'Operator', tags: ['Realms', 'Operator tokens', 'Operators', 'Installation'] },
  { name: 'Without a key', tags: ['Public leaderboards', 'Wallet links', 'Console', 'Service'] },
]
