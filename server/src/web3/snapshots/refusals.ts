import { outcomeUnknown, RefusalError, refuse } from '../../errors.ts'

/** It is stored, so a refusal that says that nothing was changed would be wrong. */
export function notComplete(error: unknown, id: string): unknown {
  if (!(error instanceof RefusalError)) return error
  const detail = `Snapshot ${id} was taken, but is not complete yet. Send the same request again.`
  return new RefusalError({ ...outcomeUnknown, detail }, error)
}

export const notFound = (id: string): RefusalError =>
  refuse('snapshot_not_found', `The realm has no snapshot ${id}.`)
