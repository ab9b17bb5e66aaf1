import type { DeliveryData } from '@exchequer/sdk'
import { Link } from '@tanstack/react-router'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Code, Copy } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogForm } from '../../ui/dialog.tsx'
import { Fact } from '../../ui/page.tsx'
import { StatusBadge, typeIn } from './event.tsx'
import { Response } from './response.tsx'
import { entryOf } from './state.ts'

type DeliveryProps = { readonly of: DeliveryData | undefined; readonly onClose: () => void }

/** One attempt with all that is known of it. */
export function DeliveryDialog({ of: delivery, onClose }: DeliveryProps) {
  const words = useWords()
  return (
    <Dialog
      open={delivery !== undefined}
      title={delivery ? typeIn(words, delivery.type) : words.webhooks.delivery}
      onClose={onClose}
    >
      {delivery && <Shown of={delivery} onClose={onClose} />}
    </Dialog>
  )
}

function Shown({ of: delivery, onClose }: { readonly of: DeliveryData; readonly onClose: () => void }) {
  const { webhooks: words, shell } = useWords()
  const format = useFormat()
  const footer = <Button type="submit">{shell.close}</Button>
  return (
    <DialogForm onSubmit={onClose} footer={footer}>
      <dl className="divide-y divide-line">
        <Fact name={words.answer}>
          <StatusBadge of={delivery} />
        </Fact>
        {delivery.error !== null && (
          <Fact name={words.error}>
            <span lang="en">{delivery.error}</span>
          </Fact>
        )}
        <Fact name={words.when}>{format.exact(delivery.at)}</Fact>
        <Fact name={words.duration}>{words.milliseconds(format.number(delivery.durationMs))}</Fact>
        <Fact name={words.attemptName}>
          {format.number(delivery.attempt)}
          {delivery.replay && ` · ${words.replayed}`}
        </Fact>
        <Entry of={delivery} />
        <Fact name={words.eventId}>
          <span className="inline-flex items-center gap-1 text-left">
            <Code>{delivery.eventId}</Code>
            <Copy text={delivery.eventId} />
          </span>
        </Fact>
      </dl>
      {delivery.status !== null && <Response text={delivery.answer} />}
    </DialogForm>
  )
}

function Entry({ of: { eventId } }: { readonly of: DeliveryData }) {
  const { webhooks: words } = useWords()
  const { id: realm } = useRealm()
  const entry = entryOf(eventId)
  if (entry === undefined) return null
  return (
    <Fact name={words.entry}>
      <Link
        to="/r/$realm/journal"
        params={{ realm }}
        search={{ entry: Number(entry) }}
        className="link figures"
      >
        {entry}
      </Link>
    </Fact>
  )
}
