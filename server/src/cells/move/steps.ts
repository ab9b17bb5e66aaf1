/** The steps of a move, in order. A move stores the last one that was completed. */
export const steps = [
  'begun',
  'copied',
  'published',
  'subscribed',
  'ready',
  'paused',
  'passed',
  'drained',
  'landed',
  'flipped',
  'done',
] as const

export type Step = (typeof steps)[number]

/** Like a step, or the end of a move that was given up. */
export type StoredStep = Step | 'cancelled'

/** The step that follows, undefined for the last one. */
export const stepAfter = (step: Step): Step | undefined => steps[steps.indexOf(step) + 1]

export const isBefore = (step: Step, other: Step): boolean => steps.indexOf(step) < steps.indexOf(other)

/** Whether the realm is in no cell after this step: it was paused and has not landed. */
export const isPausedAt = (step: Step): boolean => !isBefore(step, 'paused') && isBefore(step, 'landed')

/** What is being done after each step, for the operator. */
export const doing: Readonly<Record<Exclude<Step, 'done'>, string>> = {
  begun: 'checking both cells, and copying old entries of a large realm',
  copied: 'publishing the realm’s rows',
  published: 'copying rows to the target',
  subscribed: 'waiting until the target has caught up',
  ready: 'pausing the realm',
  paused: 'waiting for writes that began before the pause',
  passed: 'waiting for the last rows',
  drained: 'landing the realm on the target',
  landed: 'updating the directory',
  flipped: 'verifying the journal on the target',
}

/** A move failed or can't begin; the message says why and what to do. */
export class MoveError extends Error {}

/** The name of the publication, the slot and the subscription of one move. */
export const linkName = ({ realm, place }: { readonly realm: number; readonly place: number }): string =>
  `move_${realm}_${place}`

/** The realm and place in such a name. */
export function linkOf(name: string): { readonly realm: number; readonly place: number } | undefined {
  const [, realm, place] = /^move_(\d+)_(\d+)$/.exec(name) ?? []
  return realm === undefined ? undefined : { realm: Number(realm), place: Number(place) }
}
