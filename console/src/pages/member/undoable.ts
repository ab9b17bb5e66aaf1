import type { EntryData } from '@exchequer/sdk'

const reversible: readonly EntryData['type'][] = ['adjust', 'transfer', 'capture', 'opening']

/** Which entries the ledger can reverse: no reversals, no open or released holds, and none twice. */
export const isUndoable = ({ type, reversedBy }: Pick<EntryData, 'type' | 'reversedBy'>): boolean =>
  reversedBy === null && reversible.includes(type)
