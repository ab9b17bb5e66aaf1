import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import { useKinds, useRealm } from '../../realm.tsx'
import { saveFile } from '../../save.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { useSuccessToast } from '../../ui/toast.tsx'
import { addMembers } from '../awards/draft.ts'
import { FreezeDialog } from '../member/freeze.tsx'
import { csvOf } from './csv.ts'
import { allId, type Selection, useEscape } from './selection.ts'
import { VisibilityDialog } from './visibility.tsx'

type Act = 'freeze' | 'unfreeze' | 'hide' | 'show'
type BarProps = { readonly selection: Selection }

/** How many members are selected, and what can be done with them. On a phone it is at the bottom. */
export function SelectionBar({ selection }: BarProps) {
  const { selection: words } = useWords()
  const format = useFormat()
  const [act, setAct] = useState<Act>()
  const count = selection.members.size
  useEscape(count > 0, selection.clear)
  const text = words[selection.isFull ? 'full' : 'selected'](format.number(count))
  const members = [...selection.members.values()]
  const close = () => setAct(undefined)
  const done = () => {
    close()
    selection.clear()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div role="group" aria-label={words.label} className={count > 0 ? shown : 'sr-only'}>
      <span aria-live="polite" className="figures whitespace-nowrap font-medium">
        {count > 0 && text}
      </span>
      {count > 0 && <Buttons selection={selection} onAct={setAct} />}
      {(act === 'freeze' || act === 'unfreeze') && (
        <FreezeDialog members={members} frozen={act === 'freeze'} onClose={close} onDone={done} />
      )}
      {(act === 'hide' || act === 'show') && (
        <VisibilityDialog members={members} act={act} onClose={close} onDone={done} />
      )}
    </div>
  )
}

const shown =
  'flex flex-wrap items-center gap-2 max-sm:fixed max-sm:gap-1.5 max-sm:inset-x-0 max-sm:bottom-0 max-sm:z-30 max-sm:border-t max-sm:border-line max-sm:bg-raised max-sm:px-3 max-sm:py-2 max-sm:shadow-float'

// On a phone their words need the room.
const wordsOnly = 'max-sm:[&>svg]:hidden'

type ButtonsProps = { readonly selection: Selection; readonly onAct: (act: Act) => void }

function Buttons({ selection, onAct }: ButtonsProps) {
  const { selection: words, freeze } = useWords()
  const { can } = useRealm()
  const award = useAward(selection)
  const save = useSave(selection)
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.getElementById(allId)?.focus()
    },
    [],
  )
  return (
    <>
      <IconButton
        icon="close"
        label={words.clear}
        onClick={selection.clear}
        className="max-sm:-ml-1.5 max-sm:mr-auto"
      />
      {can('points:write') && (
        <Button small icon="awards" onClick={award} className={wordsOnly}>
          {words.award}
        </Button>
      )}
      {can('members:write') && (
        <Button small icon="snow" onClick={() => onAct('freeze')} className={wordsOnly}>
          {freeze.freeze.label}
        </Button>
      )}
      <Menu trigger={<Button small icon="dots" aria-label={words.more} title={words.more} />}>
        {can('members:write') && (
          <>
            <MenuItem icon="snow" onSelect={() => onAct('unfreeze')}>
              {freeze.unfreeze.label}
            </MenuItem>
            <MenuItem icon="eyeoff" onSelect={() => onAct('hide')}>
              {words.hide.label}
            </MenuItem>
            <MenuItem icon="leaderboard" onSelect={() => onAct('show')}>
              {words.show.label}
            </MenuItem>
            <MenuLine />
          </>
        )}
        <MenuItem icon="export" onSelect={save}>
          {words.exportCsv}
        </MenuItem>
      </Menu>
    </>
  )
}

/** Opens the batch awards with a line for each. */
function useAward({ members, clear }: Selection): () => void {
  const { drafts } = useApp()
  const { id: realm } = useRealm()
  const [first] = useKinds()
  const navigate = useNavigate()
  return () => {
    addMembers(drafts, { realm, point: first?.id ?? '', ids: [...members.keys()] })
    clear()
    void navigate({ to: '/r/$realm/awards', params: { realm } })
  }
}

function useSave({ members, clear }: Selection): () => void {
  const { selection: words } = useWords()
  const format = useFormat()
  const { id: realm } = useRealm()
  const kinds = useKinds()
  const showSuccess = useSuccessToast()
  return () => {
    const rows = csvOf(
      [...members.values()],
      kinds.map(({ id }) => id),
    )
    saveFile(`${realm}-${new Date().toISOString().slice(0, 10)}-selected.csv`, rows, 'text/csv')
    showSuccess(words.exported(format.number(members.size)))
    clear()
  }
}
