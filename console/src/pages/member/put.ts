import type { MemberChange } from '@exchequer/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useWords } from '../../preferences.tsx'
import { realmKey, renew, useRealm } from '../../realm.tsx'
import { useFailed, useSuccessToast } from '../../ui/toast.tsx'

type PutOptions = {
  /** Text of the toast; defaults to “Saved”. */
  readonly done?: string
  /** Closes the dialog that the change was made in. Without one, an error is shown as a toast. */
  readonly onDone?: () => void
}

/** Changes a member's profile. */
export function usePut(id: string, { done, onDone }: PutOptions = {}) {
  const { shell } = useWords()
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  return useMutation({
    mutationFn: (change: MemberChange) => client.member(id).put(change),
    onSuccess: (data) => {
      queries.setQueryData([...realmKey(realm), 'member', id], data)
      void renew(queries, realm)
      showSuccess(done ?? shell.saved)
      onDone?.()
    },
    onError: (error) => onDone === undefined && failed(error),
  })
}
