import type { EntryData } from '@exchequer/sdk'

const reversible: readonly EntryData['kind'][] = ['adjust', 'transfer', 'capture', 'opening']

/** What the ledger lets anybody undo: no reversal, no hold that is open or was given back, and nothing twice. */
export const isUndoable = ({ kind, reversedBy }: Pick<EntryData, 'kind' | 'reversedBy'>): boolean =>
  reversedBy === null && reversible.includes(kind)
