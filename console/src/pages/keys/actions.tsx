import type { KeyData } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ChangeKey } from './change.tsx'
import { RotateKey } from './rotate.tsx'
import type { OnCreate } from './state.ts'

type Of = { readonly of: KeyData }

/** Actions for an active key. */
export function KeyActions({ of: key, onMade }: Of & { readonly onMade: OnCreate }) {
  const { keys: words, shell } = useWords()
  const [act, setAct] = useState<'rotate' | 'change' | 'revoke'>()
  const close = () => setAct(undefined)
  const trigger = <IconButton icon="dots" label={shell.actions(key.name || key.id)} className="-my-1" />
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon="transfer" onSelect={() => setAct('rotate')}>
          {words.rotate}
        </MenuItem>
        <MenuItem icon="edit" onSelect={() => setAct('change')}>
          {words.change}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="close" danger onSelect={() => setAct('revoke')}>
          {words.revoke}
        </MenuItem>
      </Menu>
      <RotateKey of={key} onMade={onMade} open={act === 'rotate'} onClose={close} />
      <ChangeKey of={key} open={act === 'change'} onClose={close} />
      <RevokeKey of={key} open={act === 'revoke'} onClose={close} />
    </>
  )
}

type RevokeProps = Of & { readonly open: boolean; readonly onClose: () => void }

function RevokeKey({ of: key, open, onClose }: RevokeProps) {
  const { keys: words } = useWords()
  const format = useFormat()
  const { id, client } = useRealm()
  const name = key.name || key.id
  const revoke = useAct(() => client.keys.revoke(key.id), {
    key: [...realmKey(id), 'keys'],
    done: words.revoked(name),
    onDone: onClose,
  })
  return (
    <Ask
      open={open}
      title={words.revokeTitle(name)}
      label={words.revoke}
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{words.revokeText}</p>
      <p className="text-muted">
        {key.lastUsedAt ? words.revokeUsed(format.ago(key.lastUsedAt)) : words.revokeUnused}
      </p>
    </Ask>
  )
}
