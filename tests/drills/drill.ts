/** What a drill may use. */
export type DrillOptions = {
  /** Empty; PostgreSQL's user may enter it, and its creator removes it. */
  readonly folder: string
  readonly quick: boolean
  readonly seed: number
  /** How much data is backed up and restored. */
  readonly gb: number
}

export type Drill = {
  readonly name: string
  /** Counts what was checked. */
  readonly run: (options: DrillOptions) => Promise<{ readonly passed: number; readonly failed: number }>
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
