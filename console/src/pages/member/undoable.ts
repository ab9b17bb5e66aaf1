import type { EntryData } from '@exchequer/sdk'

const reversible: readonly EntryData['type'][] = ['adjust', 'transfer', 'capture', 'opening']

/** What the ledger lets anybody undo: no reversal, no hold that is open or was given back, and nothing twice. */
export const isUndoable = ({ type, reversedBy }: Pick<EntryData, 'type' | 'reversedBy'>): boolean =>
  reversedBy === null && reversible.includes(type)
