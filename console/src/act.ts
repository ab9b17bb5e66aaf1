import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useFailed, useSuccessToast } from './ui/toast.tsx'

type ActOptions<Result> = {
  /** Queries to reload afterwards. */
  readonly key: QueryKey
  /** The toast on success. */
  readonly done?: string
  readonly onDone?: (result: Result) => void
  /** Shows a failure as a toast, where no Refusal is next to the button. */
  readonly alone?: boolean
}

/** A change started by the user. */
export function useAct<Result, Given = void>(
  run: (given: Given) => Promise<Result>,
  { key, done, onDone, alone }: ActOptions<Result>,
) {
  const queries = useQueryClient()
  const showSuccess = useSuccessToast()
  const failed = useFailed()
  return useMutation({
    mutationFn: run,
    onSuccess: (result) => {
      void queries.invalidateQueries({ queryKey: key })
      if (done !== undefined) showSuccess(done)
      onDone?.(result)
    },
    onError: (error) => alone && failed(error),
  })
}
