/** Tables with rows of realms that a move does not carry, each with the reason. */
export const notCarried: ReadonlyMap<string, string> = new Map([
  ['realms', 'in every cell; landing writes the limits and the next key number'],
  ['heads', 'the realm is where its head is: it is removed by the pause and inserted by landing'],
  ['rates', 'unlogged, and valid for a moment only'],
  ['readings', 'leases of processes in this cell; landing makes every chain due'],
  ['changes', 'the feed of this cell, ordered by its transactions'],
  ['departed', 'what left this cell'],
  ['arrivals', 'what arrives in this cell'],
  ['moving', 'what leaves this cell now'],
  ['moves', 'of the directory'],
  ['key_places', 'of the directory'],
  ['roles', 'of the directory: people'],
  ['session_keys', 'of the directory: people'],
  ['invitations', 'of the directory: people'],
])

/** Of those, the directory's: they stay when rows of a realm that has left are deleted from its database. */
export const ofDirectory: ReadonlySet<string> = new Set([
  'key_places',
  'roles',
  'session_keys',
  'invitations',
])

/**
 * Carried, and in the directory also written to while the realm is elsewhere: acts on people. What a move
 * left there, or brought there, is deleted row by row as the realm's cell has it.
 */
export const shared = 'audit'

/**
 * Deleted from the old cell at once, the rest a day later: tables about members, holds and awards, as every
 * process looks for those that are due once a second.
 */
export const deletedAtOnce: readonly string[] = [
  'members',
  'identities',
  'merges',
  'details',
  'wallets',
  'wallet_acts',
  'challenges',
  'page_links',
  'holdings',
  'snapshot_members',
  'notices',
  'deliveries',
  'requests',
  'refusals',
  'holds',
  'awards',
]
