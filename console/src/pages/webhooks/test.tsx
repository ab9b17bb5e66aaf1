import type { TestDelivery, WebhookData } from '@exchequer/sdk'
import { useAct } from '../../act.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { Notice, Refusal } from '../../ui/states.tsx'
import { Response } from './response.tsx'
import { isAccepted } from './state.ts'

/** Sends a test event, and shows what the receiver answers. */
export function TestEvent({ of: webhook }: { readonly of: WebhookData }) {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const test = useAct(() => client.webhooks.test(webhook.id), { key: [...realmKey(id), 'webhooks'] })
  return (
    <Section>
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="min-w-0">
            <h2 className="font-semibold">{words.testEvent}</h2>
            <p className="text-muted text-sm">{words.testIntro}</p>
          </div>
          <Button small icon="webhooks" busy={test.isPending} onClick={() => test.mutate()}>
            {words.test}
          </Button>
        </div>
        {test.data && !test.isPending && <Result of={test.data} />}
        <Refusal error={test.error} />
      </div>
    </Section>
  )
}

function Result({ of: sent }: { readonly of: TestDelivery }) {
  const { webhooks: words } = useWords()
  const format = useFormat()
  const isGood = isAccepted(sent)
  const ms = format.number(sent.durationMs)
  const { good, bad, none } = words.tested
  return (
    <>
      <Notice tone={isGood ? 'good' : 'bad'}>
        <p>{sent.status === null ? none(ms) : (isGood ? good : bad)(String(sent.status), ms)}</p>
        {sent.error !== null && <p lang="en">{sent.error}</p>}
        {!isGood && <p className="mt-1">{words.expected}</p>}
      </Notice>
      {sent.status !== null && <Response text={sent.answer} />}
    </>
  )
}
