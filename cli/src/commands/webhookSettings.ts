import type { NewWebhook, WebhookType } from '@exchequer/sdk'
import { wrongUsage } from '../exits.ts'
import { eventTypes } from '../webhook.ts'
import { countOf, present, tokensOf, yesOrNo } from './values.ts'

/** What can be set when a webhook is created, and changed later. */
export const settingFlags = {
  types: { value: 'LIST', what: 'which events to send, comma-separated; or all' },
  description: { value: 'TEXT', what: 'what it is for; empty for none', mayBeEmpty: true },
  ordered: { value: 'YES', what: 'send each event after the one before succeeded', choices: ['yes', 'no'] },
  'include-details': {
    value: 'YES',
    what: 'send reason, reference, metadata and actor as well',
    choices: ['yes', 'no'],
  },
  window: { value: 'N', what: 'how many events may be under way at once, 1 to 64; not if ordered' },
  threshold: { value: 'TYPE:POINTS', what: 'a balance whose crossing is an event', many: true },
} as const

type Settings = {
  readonly types?: string
  readonly description?: string
  readonly ordered?: string
  readonly 'include-details'?: string
  readonly window?: string
  readonly threshold?: readonly string[]
}

function typesOf(text: string | undefined): readonly WebhookType[] | null | undefined {
  if (text === undefined) return undefined
  if (text === 'all') return null
  const wanted = text.split(',').map((one) => one.trim())
  const wrong = wanted.find((one) => !(eventTypes as readonly string[]).includes(one))
  if (wrong === undefined) return wanted as WebhookType[]
  throw wrongUsage(`"${wrong}" is not an event type. Types are ${eventTypes.join(', ')}.`)
}

function thresholdOf(text: string) {
  const [, realmPointId, tokens] = /^([^:]+):([0-9]+)$/.exec(text) ?? []
  if (realmPointId === undefined || tokens === undefined)
    throw wrongUsage(`--threshold takes TYPE:POINTS, such as gold:100, not "${text}".`)
  return { realmPointId, tokens: tokensOf(tokens) }
}

/** Null clears a value, so it is kept. */
export function settingsOf(flags: Settings): Omit<NewWebhook, 'url' | 'from'> {
  const { description, ordered, 'include-details': details, window, threshold } = flags
  const types = typesOf(flags.types)
  return {
    ...(types === undefined ? {} : { types }),
    ...(description === undefined ? {} : { description: description || null }),
    ...present({
      ordered: yesOrNo(ordered),
      includeDetails: yesOrNo(details),
      window: window === undefined ? undefined : countOf('--window', window, 0),
      thresholds: threshold?.map(thresholdOf),
    }),
  }
}
