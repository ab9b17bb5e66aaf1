import type { Checks } from '../security/checks.ts'
import type { StepGate } from './gate.ts'
import type { CellStage } from './stage.ts'
import type { Pair } from './writers.ts'

/** What every part of the run may use. */
export type Scene = {
  readonly stage: CellStage
  readonly checks: Checks
  readonly gate: StepGate
  /** A realm with a long journal that moves, and one that stays. */
  readonly realms: Pair
  readonly seed: number
}
