import type { User } from '../interaction.ts'

export type Kind = 'message' | 'voice'

/** What earns points: a message, or a period of voice time. */
export type Activity = {
  readonly kind: Kind
  readonly guildId: string
  readonly user: User
  /** A message's id, or when voice time began, in milliseconds: the same in each process and replay. */
  readonly id: string
  /** When it happened, by that id. */
  readonly atMs: number
}

/** Discord's ids contain the milliseconds since 2015. */
const discordEpochMs = 1_420_070_400_000
const atOf = (kind: Kind, id: string): number =>
  kind === 'voice' ? Number(id) : Number(BigInt(id) >> 22n) + discordEpochMs

export const activityOf = (of: Omit<Activity, 'atMs'>): Activity => ({ ...of, atMs: atOf(of.kind, of.id) })

/** The day in UTC, as 2030-01-31. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** One of a member's awards of a day, numbered from 1, and when the activity that has it was. */
export type Slot = { readonly day: string; readonly number: number; readonly atMs: number }

/** A slot has one Idempotency-Key, so it is awarded at most once. */
export const keyOf = ({ kind, guildId, user }: Activity, day: string, number: number): string =>
  `gateway:${kind}:${guildId}:${user.id}:${day}:${number}`

/** Which activity has the slot: any process can read it in the member's history. */
export const referenceOf = ({ kind, guildId, id }: Activity, day: string, number: number): string =>
  `${kind}:${guildId}:${day}:${number}:${id}`

const form = /^(message|voice):([0-9]+):([0-9]{4}-[0-9]{2}-[0-9]{2}):([0-9]{1,6}):([0-9]{1,20})$/

/** Undefined for an entry that is not an award of this kind and this Discord server. */
export function slotOf(reference: string | null, { kind, guildId }: Activity): Slot | undefined {
  const [, ofKind, ofGuild, day = '', number, id = ''] = form.exec(reference ?? '') ?? []
  if (ofKind !== kind || ofGuild !== guildId) return undefined
  return { day, number: Number(number), atMs: atOf(kind, id) }
}
