import { eventTypes } from '../../events/webhooks/index.ts'
import { expectMark } from '../route/expects.ts'
import { clearable, date, nullable, plainTokens, pointId, Type, text } from '../route/schemas.ts'

/** Fields of webhooks, in requests and responses. */

export const webhookId = Type.String({
  pattern: '^[1-9][0-9]{0,8}$',
  description: 'The webhook’s id.',
  [expectMark]: 'a webhook’s id, a whole number',
  examples: ['1'],
})

const type = Type.Union(
  eventTypes.map((name) => Type.Literal(name)),
  { description: `One of ${eventTypes.join(', ')}.` },
)

const types = Type.Array(type, {
  minItems: 1,
  maxItems: eventTypes.length,
  uniqueItems: true,
  description: 'The event types to send.',
})

export const url = text(2048, 'Where events are sent: a URL that begins with https://.')

export const seqField = (description: string) =>
  Type.Refine(
    Type.String({
      pattern: '^[1-9][0-9]{0,18}$',
      description,
      [expectMark]: 'an entry’s seq, in decimal digits',
      examples: ['1042'],
    }),
    (value) => isSeq(value),
  )

const isSeq = (value: string): boolean => BigInt(value) <= 9_223_372_036_854_775_806n

const thresholdFields = { realmPointId: pointId, tokens: plainTokens }

/** What can be set when a webhook is created, and changed later. */
export const settings = {
  types: clearable(types),
  description: clearable(text(200, 'Your own description.')),
  ordered: Type.Optional(
    Type.Boolean({
      description:
        'Sends each event after the response to the one before; a failed event stops those after it. False ' +
        'by default.',
    }),
  ),
  includeDetails: Type.Optional(
    Type.Boolean({
      description:
        'Adds reason, reference, metadata and actorId to events. False by default: what was sent can’t be ' +
        'erased.',
    }),
  ),
  window: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description: 'How many events may be under way at once, unless `ordered`: from 1 to 64; 8 by default.',
    }),
  ),
  thresholds: Type.Optional(
    Type.Array(Type.Object(thresholdFields, { title: 'ThresholdInput' }), {
      maxItems: 20,
      description: 'Balances whose crossing is an event `balance.crossed`. A list replaces the one before.',
    }),
  ),
}

const timeOf = (description: string) => Type.Unsafe<string>({ ...date, description })

export const webhookFields = {
  id: webhookId,
  url: Type.String({ description: 'Where events are sent.' }),
  types: nullable(Type.Array(Type.String(), { description: 'Null for every type, also later ones.' })),
  description: nullable(Type.String({ description: 'Your own description; null when not set.' })),
  ordered: Type.Boolean({ description: 'Whether each event waits for the one before.' }),
  includeDetails: Type.Boolean({
    description: 'Whether events have reason, reference, metadata and actorId.',
  }),
  window: Type.Integer({ description: 'How many events may be under way at once, unless `ordered`.' }),
  thresholds: Type.Array(Type.Object({ id: Type.String(), ...thresholdFields }, { title: 'Threshold' }), {
    description: 'Balances whose crossing is an event.',
  }),
  state: Type.Union([Type.Literal('active'), Type.Literal('waiting'), Type.Literal('disabled')], {
    description:
      '`waiting`: too much failed, and one event is tried from time to time. `disabled`: nothing is sent.',
  }),
  seq: Type.String({ description: 'All entries up to this one are sent, or wait for another attempt.' }),
  behind: Type.Integer({ minimum: 0, description: 'Entries of the journal after `seq`.' }),
  parked: Type.Integer({ minimum: 0, description: 'Events that wait for another attempt.' }),
  failures: Type.Integer({ minimum: 0, description: 'Attempts that failed since the last success.' }),
  failingSince: nullable(timeOf('The first failure since the last success; null without one.')),
  nextAttemptAt: nullable(timeOf('Nothing is sent before this time; null when events are sent.')),
  blockedEventId: nullable(
    Type.String({ description: 'The event that has to be delivered, or skipped, before the next one.' }),
  ),
  disabledAt: nullable(timeOf('When it was disabled; null when it was not.')),
  disabledReason: nullable(Type.String({ description: 'Why it was disabled; null when it was not.' })),
  replay: nullable(
    Type.Object(
      {
        from: Type.String({ description: 'The first entry of the replay.' }),
        to: Type.String({ description: 'The first entry that is not part of it.' }),
        seq: Type.String({ description: 'All entries up to this one were sent again.' }),
      },
      { title: 'Replay', description: 'The replay that is running; null for none.' },
    ),
  ),
  oldSecretUntil: nullable(timeOf('Until when the old secret signs too; null when there is none.')),
  createdAt: date,
}

export const deliveryFields = {
  id: Type.String(),
  eventId: Type.String({ description: 'The header `webhook-id`.' }),
  type: Type.String({ description: 'The event’s type.' }),
  replay: Type.Boolean({ description: 'Whether it was part of a replay.' }),
  at: timeOf('When it was sent.'),
  attempt: Type.Integer({ minimum: 1, description: 'The number of this attempt, from 1.' }),
  status: nullable(Type.Integer({ description: 'The status of the response; null without one.' })),
  durationMs: Type.Integer({ minimum: 0, description: 'How long it took, in milliseconds.' }),
  error: nullable(Type.String({ description: 'Why there was no response.' })),
  answer: nullable(Type.String({ description: 'The first 2 KiB of the response.' })),
}
