import { ExchequerError, type MemberChange, type ProfileData, type Realm } from '@exchequer/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { renew, useRealm } from '../../realm.tsx'
import { useShown } from '../../shown.ts'
import { useStopper } from '../../stopper.ts'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'

/** The most members that one request changes. */
export const membersCap = 1000
const atOnce = 6

type ManyOptions = {
  readonly ids: readonly string[]
  /** What is to change, for a member as it is now; undefined when nothing is. */
  readonly changeOf: (member: ProfileData) => MemberChange | undefined
  /** The toast, given how many members are now as they were to be. */
  readonly done: (count: number) => string
  readonly title: string
  readonly onDone: () => void
}

/** Changes one member or many, all or none. */
export function useMany({ ids, changeOf, done, title, onDone }: ManyOptions) {
  const { freeze: words } = useWords()
  const format = useFormat()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  const isShown = useShown()
  const { begin } = useStopper()
  const [read, setRead] = useState(0)
  const isSent = useRef(false)
  const change = useMutation({
    mutationFn: async () => {
      const signal = begin()
      setRead(0)
      isSent.current = false
      const members = await readProfiles(client, { ids, signal, onRead: setRead })
      const changes = members.flatMap((member) => {
        const changed = changeOf(member)
        return changed ? [{ id: member.id, ...changed }] : []
      })
      signal.throwIfAborted()
      isSent.current = true
      if (changes.length > 0) await client.members.put(changes)
      return members.length
    },
    onSuccess: (count) => {
      const gone = ids.length - count
      showSuccess(done(count), gone > 0 ? words.leftOut(format.number(gone)) : undefined)
      void renew(queries, realm)
      if (isShown()) onDone()
    },
    // Closed while members were read: nothing was changed.
    onError: (error) => isShown() || !isSent.current || failed(error, title),
  })
  return { change, read }
}

type Reading = {
  readonly ids: readonly string[]
  readonly signal: AbortSignal
  readonly onRead: (count: number) => void
}

/**
 * The members as they are now. The write would create one that was removed since the page was loaded, and
 * change the survivor of one that was merged: both are left out.
 */
async function readProfiles(client: Realm, { ids, signal, onRead }: Reading): Promise<ProfileData[]> {
  const found = new Map<string, ProfileData>()
  const queue = ids.values()
  let read = 0
  let missing: unknown
  const work = async () => {
    for (const id of queue) {
      try {
        const member = await client.member(id).profile({ signal })
        // A realm may be set so that every valid ID is a member: one that never joined has no date.
        if (member.id !== id || member.joinedAt === null)
          throw new ExchequerError({ status: 404, code: 'member_not_found', detail: id })
        found.set(id, member)
      } catch (error) {
        if (!(error instanceof ExchequerError) || error.code !== 'member_not_found') throw error
        missing = error
      }
      read += 1
      onRead(read)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  if (found.size === 0) throw missing
  return [...found.values()]
}
