import type { DeliveryData } from '@exchequer/sdk'
import { useWords } from '../../preferences.tsx'
import { Badge } from '../../ui/bits.tsx'
import type { Words } from '../../words/en.ts'
import { isAccepted } from './state.ts'

/** The label of an event type; the type itself where the dictionary has none. */
export function typeIn({ webhooks: words }: Words, type: string): string {
  if (type === 'endpoint.test') return words.testEvent
  const all: Readonly<Record<string, { readonly name: string }>> = words.type
  return (Object.hasOwn(all, type) ? all[type]?.name : undefined) ?? type
}

export function StatusBadge({ of: delivery }: { readonly of: Pick<DeliveryData, 'status'> }) {
  const { webhooks: words } = useWords()
  return <Badge tone={isAccepted(delivery) ? 'good' : 'bad'}>{delivery.status ?? words.noAnswer}</Badge>
}
