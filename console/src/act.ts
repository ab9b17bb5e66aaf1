import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useFailed, useTold } from './ui/toast.tsx'

type ActOptions<Result> = {
  /** What is read anew afterwards. */
  readonly key: QueryKey
  /** What is said when it is done. */
  readonly done?: string
  readonly onDone?: (result: Result) => void
  /** No Refusal stands beside it, so a failure is told in passing. */
  readonly alone?: boolean
}

/** A change that somebody asks for. */
export function useAct<Result, Given = void>(
  run: (given: Given) => Promise<Result>,
  { key, done, onDone, alone }: ActOptions<Result>,
) {
  const queries = useQueryClient()
  const told = useTold()
  const failed = useFailed()
  return useMutation({
    mutationFn: run,
    onSuccess: (result) => {
      void queries.invalidateQueries({ queryKey: key })
      if (done !== undefined) told(done)
      onDone?.(result)
    },
    onError: (error) => alone && failed(error),
  })
}
