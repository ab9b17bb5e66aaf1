import type { ImportResult } from '@exchequer/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { useStopper } from '../../stopper.ts'
import { asWanted, faultsOf, idsOn, lineInFile, type RowFault, type Sheet } from './sheet.ts'

export type Plan = {
  readonly sheet: Sheet
  readonly name: string
  readonly allowRounded: boolean
  /** Whether balances are added to what members already have. */
  readonly addOnTop: boolean
}

/** The result of a check, by the browser and by the server. */
export type Report = {
  readonly own: readonly RowFault[]
  readonly server: ImportResult | undefined
  readonly faults: readonly ServerFault[]
}
type ServerFault = { readonly line: number; readonly id: string; readonly detail: string }

/** Checks and imports a file, reporting how many rows are done. */
export function useImport() {
  const { queries } = useApp()
  const { id, client } = useRealm()
  const [done, setDone] = useState(0)
  const { begin, stop } = useStopper()
  const send = ({ sheet, name, allowRounded, addOnTop }: Plan, dryRun: boolean) => {
    const signal = begin()
    setDone(0)
    return client.import(asWanted(sheet), {
      name,
      dryRun,
      signal,
      format: sheet.format,
      allowRoundedIds: allowRounded,
      // The check counts balances that add to existing points; the user decides, so they are not errors.
      addOnTop: addOnTop || dryRun,
      onProgress: ({ rows }) => setDone(rows),
    })
  }
  const check = useMutation({
    mutationFn: async (plan: Plan): Promise<Report> => {
      const found = faultsOf(plan.sheet)
      const own = plan.allowRounded ? found.filter(({ name }) => name !== 'rounded') : found
      // After a quotation mark that is never closed, rows can't be separated.
      if (own.some(({ name }) => name === 'quote')) return { own, server: undefined, faults: [] }
      const server = await send(plan, true)
      return { own, server, faults: othersIn(plan.sheet, server.faults, own) }
    },
  })
  const bring = useMutation({
    mutationFn: (plan: Plan) => send(plan, false),
    onSettled: () => queries.invalidateQueries({ queryKey: realmKey(id) }),
  })
  const reset = () => {
    stop()
    check.reset()
    bring.reset()
  }
  return { check, bring, done, reset }
}

/** The server's errors on lines that have none yet. */
function othersIn(
  sheet: Sheet,
  reported: ImportResult['faults'],
  own: readonly RowFault[],
): readonly ServerFault[] {
  const known = new Set(own.map(({ line }) => line))
  const faults = reported
    .map(({ line, detail }) => ({ line: lineInFile(sheet, line), detail }))
    .filter(({ line }) => !known.has(line))
  const ids = idsOn(sheet, new Set(faults.map(({ line }) => line)))
  return faults.map((fault) => ({ ...fault, id: ids.get(fault.line) ?? '' }))
}
