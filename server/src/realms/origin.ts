import { hash as digest } from 'node:crypto'

/** The hash before a realm's first entry: it binds the chain to its realm. docs/journal.md documents it. */
export const originHash = (realmId: string): string => digest('sha256', `exchequer 1 ${realmId}`, 'hex')
