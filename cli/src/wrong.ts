import { ChainError } from '@exchequer/sdk/verify'

/** What is wrong, and where. */
export class Wrong extends Error {
  readonly where: string

  constructor(where: string, why: string) {
    super(why)
    this.where = where
  }
}

/** Converts an error of the chain; undefined for any other error. */
export function wrongOf(error: unknown): Wrong | undefined {
  if (error instanceof Wrong) return error
  if (!(error instanceof ChainError)) return undefined
  const isEnd = error.fault === 'head' || error.fault === 'beyond'
  return new Wrong(isEnd ? 'the head' : `entry ${error.seq}`, error.message)
}
