import type { PointChange } from '@exchequer/sdk'
import { useState } from 'react'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { type PointKind, realmKey, useRealm } from '../../realm.tsx'
import { Ask } from '../../ui/ask.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { ChangeKind } from './form.tsx'
import { LapseDialog } from './lapse.tsx'

type KindProps = { readonly kind: PointKind }

function useChange({ id }: PointKind, done: string, onDone?: () => void) {
  const { id: realm, client } = useRealm()
  return useAct((change: PointChange) => client.points.change(id, change), {
    key: realmKey(realm),
    done,
    ...(onDone ? { onDone } : { alone: true }),
  })
}

export function KindActions({ kind }: KindProps) {
  return kind.archived ? <Restore kind={kind} /> : <InUse kind={kind} />
}

function Restore({ kind }: KindProps) {
  const { points: words } = useWords()
  const restore = useChange(kind, words.restoreDone(kind.name))
  return (
    <Button small busy={restore.isPending} onClick={() => restore.mutate({ archived: false })}>
      {words.restore}
    </Button>
  )
}

function InUse({ kind }: KindProps) {
  const { points: words, lapse, shell } = useWords()
  const [act, setAct] = useState<'change' | 'lapse' | 'archive'>()
  const close = () => setAct(undefined)
  const makeDefault = useChange(kind, words.isDefaultNow(kind.name))
  const archive = useChange(kind, words.archiveDone(kind.name), close)
  const trigger = (
    <IconButton icon="dots" label={shell.actions(kind.name)} busy={makeDefault.isPending} className="-my-1" />
  )
  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem icon="edit" onSelect={() => setAct('change')}>
          {words.change}
        </MenuItem>
        <MenuItem icon="clock" onSelect={() => setAct('lapse')}>
          {lapse.menu}
        </MenuItem>
        {!kind.default && (
          <>
            <MenuItem icon="check" onSelect={() => makeDefault.mutate({ default: true })}>
              {words.makeDefault}
            </MenuItem>
            <MenuLine />
            <MenuItem icon="file" onSelect={() => setAct('archive')}>
              {words.archive}
            </MenuItem>
          </>
        )}
      </Menu>
      <ChangeKind kind={kind} open={act === 'change'} onClose={close} />
      <LapseDialog kind={kind} open={act === 'lapse'} onClose={close} />
      <Ask
        open={act === 'archive'}
        title={words.archiveTitle(kind.name)}
        label={words.archive}
        busy={archive.isPending}
        error={archive.error}
        onConfirm={() => archive.mutate({ archived: true })}
        onClose={close}
      >
        <p>{words.archiveText}</p>
      </Ask>
    </>
  )
}
