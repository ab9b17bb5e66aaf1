import type { DeliveryData, WebhookData } from '@exchequer/sdk'

/** Why a webhook needs attention: each has its own explanation. */
export type Trouble = 'retrying' | 'waiting' | 'blocked' | 'disabled'
export type Health = 'healthy' | Exclude<Trouble, 'blocked'>

type Condition = Pick<WebhookData, 'state' | 'blockedEventId' | 'failures' | 'parked'>

export function troubleOf({ state, blockedEventId, failures, parked }: Condition): Trouble | undefined {
  if (state === 'disabled') return state
  // An ordered webhook sends nothing else from the first failure on, whatever its state.
  if (blockedEventId !== null) return 'blocked'
  if (state === 'waiting') return state
  return parked > 0 || failures > 0 ? 'retrying' : undefined
}

export function healthOf(webhook: Condition): Health {
  const trouble = troubleOf(webhook)
  return trouble === 'blocked' ? 'waiting' : (trouble ?? 'healthy')
}

/** The server's reasons for a disabled webhook, by their dictionary keys. */
export const reasons = {
  'It was disabled by a client.': 'client',
  'The receiver responded 410.': 'gone',
  'Every attempt failed for 5 days.': 'lost',
} as const

export const reasonOf = (text: string): (typeof reasons)[keyof typeof reasons] | undefined =>
  Object.hasOwn(reasons, text) ? reasons[text as keyof typeof reasons] : undefined

/** Disabled on purpose, which is nothing to worry about. */
export const isPaused = ({ state, disabledReason }: Pick<WebhookData, 'state' | 'disabledReason'>): boolean =>
  state === 'disabled' && disabledReason !== null && reasonOf(disabledReason) === 'client'

/** Its description, else its URL without the scheme. */
export const nameOf = ({ description, url }: Pick<WebhookData, 'description' | 'url'>): string =>
  description || url.replace(/^https?:\/\//, '')

export const isAccepted = ({ status }: Pick<DeliveryData, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** The entry of an event; undefined for a test or a notice. */
export const entryOf = (eventId: string): string | undefined => /^evt_(\d+)_/.exec(eventId)?.[1]

/** A secret to show once. The page shows it, because the dialog that created it is closed by then. */
export type NewSecret = { readonly title: string; readonly secret: string }
export type OnSecret = (made: NewSecret) => void
