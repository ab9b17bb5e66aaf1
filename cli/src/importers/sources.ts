import { amari } from './amari.ts'
import { csv } from './csv.ts'
import type { Importer } from './importer.ts'
import { lurkr } from './lurkr.ts'
import { mee6 } from './mee6.ts'
import { streamelements } from './streamelements.ts'
import { tatsu } from './tatsu.ts'
import { unbelievaboat } from './unbelievaboat.ts'

/** By the name that --from takes. */
export const importers = {
  mee6,
  tatsu,
  unbelievaboat,
  amari,
  lurkr,
  streamelements,
  csv,
} as const satisfies Readonly<Record<string, Importer>>

export type ImporterName = keyof typeof importers
export const importerNames = Object.keys(importers) as ImporterName[]
