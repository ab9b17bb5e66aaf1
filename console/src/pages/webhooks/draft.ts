import type { NewWebhook, WebhookData, WebhookType } from '@exchequer/sdk'
import { en } from '../../words/en.ts'

/** In the order of the form. */
export const eventTypes = Object.keys(en.webhooks.type) as readonly WebhookType[]

const isType = (text: string): text is WebhookType => (eventTypes as readonly string[]).includes(text)

export type ThresholdDraft = { readonly realmPointId: string; readonly tokens: string }

/** A webhook as the form has it. */
export type WebhookDraft = {
  readonly url: string
  readonly description: string
  /** Every type, also later ones; `types` is kept for a change of mind. */
  readonly every: boolean
  readonly types: readonly WebhookType[]
  readonly thresholds: readonly ThresholdDraft[]
  readonly ordered: boolean
  readonly includeDetails: boolean
}

export const emptyDraft: WebhookDraft = {
  url: '',
  description: '',
  every: true,
  types: ['points.adjusted', 'points.transferred'],
  thresholds: [],
  ordered: false,
  includeDetails: false,
}

export const draftOf = (webhook: WebhookData): WebhookDraft => ({
  url: webhook.url,
  description: webhook.description ?? '',
  every: webhook.types === null,
  types: webhook.types?.filter(isType) ?? emptyDraft.types,
  thresholds: webhook.thresholds.map(({ realmPointId, tokens }) => ({ realmPointId, tokens: `${tokens}` })),
  ordered: webhook.ordered,
  includeDetails: webhook.includeDetails,
})

export const watchesBalances = ({ every, types }: WebhookDraft): boolean =>
  every || types.includes('balance.crossed')

const isAmount = (text: string): boolean =>
  /^[1-9][0-9]*$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER

/** The server decides which hosts are allowed, and whether http is. */
const isUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)

export type Fault = 'url' | 'types' | 'thresholds'

export function faultsOf(draft: WebhookDraft): readonly Fault[] {
  const faults: Fault[] = []
  if (!isUrl(draft.url.trim())) faults.push('url')
  if (!draft.every && draft.types.length === 0) faults.push('types')
  if (watchesBalances(draft) && !draft.thresholds.every(({ tokens }) => isAmount(tokens.trim())))
    faults.push('thresholds')
  return faults
}

/** What is sent to the server. */
export function settingsOf(draft: WebhookDraft) {
  const watched = watchesBalances(draft) ? draft.thresholds : []
  return {
    url: draft.url.trim(),
    description: draft.description.trim() || null,
    types: draft.every ? null : eventTypes.filter((type) => draft.types.includes(type)),
    thresholds: watched.map(({ realmPointId, tokens }) => ({ realmPointId, tokens: Number(tokens.trim()) })),
    ordered: draft.ordered,
    includeDetails: draft.includeDetails,
  } satisfies NewWebhook
}
