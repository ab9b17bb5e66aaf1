import { ExchequerError, type HistoryEntry, type Realm } from '@exchequer/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApp } from '../../app.tsx'
import { realmKey, renew, useRealm } from '../../realm.tsx'
import { isGain } from './gains.ts'

/** The most gains that are listed, and undone, at once. */
export const gainsCap = 500
const atOnce = 4

export type UndoneGains = {
  readonly undone: number
  readonly refused: readonly { readonly entry: string; readonly error: ExchequerError }[]
}

/** A member's gains since a day, newest first; `isCapped` when there are older ones. */
async function readGains(client: Realm, { member, from }: { member: string; from: string }) {
  const entries: HistoryEntry[] = []
  for await (const entry of client.member(member).history({ from, direction: 'in' })) {
    if (!isGain(entry)) continue
    if (entries.length === gainsCap) return { entries, isCapped: true }
    entries.push(entry)
  }
  return { entries, isCapped: false }
}

export function useGains(member: string, from: string) {
  const { id: realm, client } = useRealm()
  return useQuery({
    queryKey: [...realmKey(realm), 'member', member, 'gains', from],
    queryFn: () => readGains(client, { member, from }),
    enabled: from !== '',
    gcTime: 0,
    staleTime: 0,
  })
}

type UndoGains = { readonly entries: readonly HistoryEntry[]; readonly reason: string }

/**
 * Undoes entries, a few at a time, each under an idempotency key of its own that outlives the dialog. One
 * that can't be undone does not stop the others; a server that does not respond stops them.
 */
export function useUndoGains(onDone: (result: UndoneGains) => void, onFailed: (error: unknown) => void) {
  const { id: realm, client } = useRealm()
  const { unsettled } = useApp()
  const queries = useQueryClient()
  const [done, setDone] = useState(0)
  const undo = useMutation({
    mutationFn: async ({ entries, reason }: UndoGains): Promise<UndoneGains> => {
      setDone(0)
      const queue = entries.values()
      const refused: { entry: string; error: ExchequerError }[] = []
      let undone = 0
      const work = async () => {
        for (const { transactionId: entry } of queue) {
          try {
            await unsettled.send(`${realm} undo ${entry}`, (idempotencyKey) =>
              client.reverse(entry, { idempotencyKey, ...(reason && { reason }) }),
            )
            undone += 1
            setDone(undone)
          } catch (error) {
            const refusal = refusalOf(error)
            if (refusal === undefined) throw error
            if (refusal.code === 'already_reversed') undone += 1
            else refused.push({ entry, error: refusal })
          }
        }
      }
      const workers = await Promise.allSettled(Array.from({ length: atOnce }, work))
      const failed = workers.find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
      return { undone, refused }
    },
    onSuccess: onDone,
    onError: onFailed,
    onSettled: () => renew(queries, realm),
  })
  return { undo, done }
}

/** The ledger's own refusals: about this entry, not about the connection or the session. */
function refusalOf(error: unknown): ExchequerError | undefined {
  return error instanceof ExchequerError && [404, 422].includes(error.status) ? error : undefined
}
