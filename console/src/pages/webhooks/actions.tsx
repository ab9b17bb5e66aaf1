import type { WebhookData } from '@exchequer/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ChangeWebhook } from './change.tsx'
import { ReplayDialog } from './replay.tsx'
import { RotateSecret } from './rotate.tsx'
import { nameOf, type OnSecret, troubleOf } from './state.ts'

type Of = { readonly of: WebhookData }
type OpenProps = Of & { readonly open: boolean; readonly onClose: () => void }
type Act = 'replay' | 'change' | 'rotate' | 'disable' | 'remove'

/** Next to the title: send again, and a menu with the rest. */
export function WebhookActions({ of: webhook, onMade }: Of & { readonly onMade: OnSecret }) {
  const { webhooks: words, shell } = useWords()
  const [act, setAct] = useState<Act>()
  const close = () => setAct(undefined)
  const trigger = <IconButton icon="dots" label={shell.actions(nameOf(webhook))} />
  return (
    <>
      <Button icon="undo" disabled={webhook.replay !== null} onClick={() => setAct('replay')}>
        {words.replay}
      </Button>
      <Menu trigger={trigger}>
        <MenuItem icon="edit" onSelect={() => setAct('change')}>
          {words.change}
        </MenuItem>
        <MenuItem icon="keys" onSelect={() => setAct('rotate')}>
          {words.rotate}
        </MenuItem>
        {webhook.state !== 'disabled' && (
          <MenuItem icon="minus" onSelect={() => setAct('disable')}>
            {words.disable}
          </MenuItem>
        )}
        <MenuLine />
        <MenuItem icon="close" danger onSelect={() => setAct('remove')}>
          {words.remove}
        </MenuItem>
      </Menu>
      <ReplayDialog of={webhook} open={act === 'replay'} onClose={close} />
      <ChangeWebhook of={webhook} open={act === 'change'} onClose={close} />
      <RotateSecret of={webhook} onMade={onMade} open={act === 'rotate'} onClose={close} />
      <DisableWebhook of={webhook} open={act === 'disable'} onClose={close} />
      <RemoveWebhook of={webhook} open={act === 'remove'} onClose={close} />
    </>
  )
}

/** What can be done about a webhook that needs attention. */
export function Remedies({ of: webhook }: Of) {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const [skipping, setSkipping] = useState(false)
  const trouble = troubleOf(webhook)
  const isDisabled = trouble === 'disabled'
  const resume = useAct(() => client.webhooks.change(webhook.id, { state: 'active' }), {
    key: [...realmKey(id), 'webhooks'],
    done: isDisabled ? words.enabled : words.trying,
    alone: true,
  })
  if (trouble === undefined || trouble === 'retrying') return null
  return (
    <>
      <Button
        look={isDisabled ? 'primary' : 'secondary'}
        busy={resume.isPending}
        onClick={() => resume.mutate()}
      >
        {isDisabled ? words.enable : words.tryNow}
      </Button>
      {trouble === 'blocked' && <Button onClick={() => setSkipping(true)}>{words.skip}</Button>}
      <SkipEvent of={webhook} open={skipping} onClose={() => setSkipping(false)} />
    </>
  )
}

function SkipEvent({ of: webhook, open, onClose }: OpenProps) {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const skip = useAct(() => client.webhooks.skip(webhook.id), {
    key: [...realmKey(id), 'webhooks'],
    done: words.skipped,
    onDone: onClose,
  })
  return (
    <Ask
      open={open}
      title={words.skipTitle}
      label={words.skip}
      danger
      busy={skip.isPending}
      error={skip.error}
      onConfirm={() => skip.mutate()}
      onClose={onClose}
    >
      <p>{words.skipText}</p>
    </Ask>
  )
}

function DisableWebhook({ of: webhook, open, onClose }: OpenProps) {
  const { webhooks: words } = useWords()
  const { id, client } = useRealm()
  const disable = useAct(() => client.webhooks.change(webhook.id, { state: 'disabled' }), {
    key: [...realmKey(id), 'webhooks'],
    done: words.disabled,
    onDone: onClose,
  })
  return (
    <Ask
      open={open}
      title={words.disableTitle}
      label={words.disable}
      busy={disable.isPending}
      error={disable.error}
      onConfirm={() => disable.mutate()}
      onClose={onClose}
    >
      <p>{words.disableText}</p>
    </Ask>
  )
}

function RemoveWebhook({ of: webhook, open, onClose }: OpenProps) {
  const { webhooks: words } = useWords()
  const navigate = useNavigate()
  const { id, client } = useRealm()
  const name = nameOf(webhook)
  const remove = useAct(() => client.webhooks.remove(webhook.id), {
    key: [...realmKey(id), 'webhooks'],
    done: words.removed(name),
    onDone: () => void navigate({ to: '/r/$realm/webhooks', params: { realm: id } }),
  })
  return (
    <Ask
      open={open}
      title={words.removeTitle(name)}
      label={words.remove}
      danger
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{words.removeText}</p>
    </Ask>
  )
}
