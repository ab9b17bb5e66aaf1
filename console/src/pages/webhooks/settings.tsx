import type { WebhookData } from '@exchequer/sdk'
import { useState } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { useRealm } from '../../realm.tsx'
import { Badge, Time } from '../../ui/bits.tsx'
import { Button } from '../../ui/button.tsx'
import { kindName } from '../../ui/kinds.tsx'
import { Fact, Section } from '../../ui/page.tsx'
import { ChangeWebhook } from './change.tsx'
import { Progress } from './condition.tsx'
import { typeIn } from './event.tsx'

type Of = { readonly of: WebhookData }

/** How a webhook is set up, and how far it is. */
export function Settings({ of: webhook }: Of) {
  const { webhooks: words } = useWords()
  const [changing, setChanging] = useState(false)
  const change = (
    <Button small icon="edit" onClick={() => setChanging(true)}>
      {words.change}
    </Button>
  )
  const yesNo = (is: boolean) => (is ? 'yes' : 'no')
  return (
    <Section title={words.settings} actions={change}>
      <dl className="-my-1.5 divide-y divide-line">
        <Fact name={words.progress}>
          <Progress of={webhook} />
        </Fact>
        <Fact name={words.order}>{words.orders[yesNo(webhook.ordered)]}</Fact>
        <Fact name={words.detail}>{words.detailed[yesNo(webhook.includeDetails)]}</Fact>
        {webhook.oldSecretUntil && (
          <Fact name={words.oldSecret}>
            <Time at={webhook.oldSecretUntil} />
          </Fact>
        )}
        <Fact name={words.createdAt}>
          <Time at={webhook.createdAt} />
        </Fact>
      </dl>
      <Events of={webhook} />
      <Watched of={webhook} />
      <ChangeWebhook of={webhook} open={changing} onClose={() => setChanging(false)} />
    </Section>
  )
}

function Events({ of: { types } }: Of) {
  const words = useWords()
  return (
    <div className="mt-4">
      <p className="mb-1.5 text-muted text-sm">{words.webhooks.events}</p>
      <ul className="flex flex-wrap gap-1">
        {types === null ? (
          <li>
            <Badge>{words.webhooks.everyEvent}</Badge>
          </li>
        ) : (
          types.map((type) => (
            <li key={type}>
              <Badge>{typeIn(words, type)}</Badge>
            </li>
          ))
        )}
      </ul>
    </div>
  )
}

function Watched({ of: { thresholds } }: Of) {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const { points } = useRealm().data
  if (thresholds.length === 0) return null
  const nameIn = (id: string) => {
    const kind = points.find((point) => point.id === id)
    return kind ? kindName(kind) : id
  }
  return (
    <div className="mt-4">
      <p className="mb-1.5 text-muted text-sm">{words.watched}</p>
      <ul className="flex flex-wrap gap-1">
        {thresholds.map(({ id, realmPointId, tokens }) => (
          <li key={id}>
            <Badge>
              {format.number(tokens)} {nameIn(realmPointId)}
            </Badge>
          </li>
        ))}
      </ul>
    </div>
  )
}
