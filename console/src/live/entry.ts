import type { JournalEntry } from '@exchequer/sdk'

/** What tabs pass on of a new entry: enough to know what it changes. */
export type LiveEntry = Pick<JournalEntry, 'seq' | 'type' | 'keyId' | 'link'> & {
  readonly members: readonly string[]
}

export function liveEntryOf({ seq, type, keyId, link, fromId, toId }: JournalEntry): LiveEntry {
  const members = [fromId, toId].filter((id) => id !== null)
  return { seq, type, keyId, link, members }
}

/** What has happened since the last time: new entries, or so much that all data is loaded again. */
export type Changes = { readonly entries: readonly LiveEntry[]; readonly everything: boolean }
