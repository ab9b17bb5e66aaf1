import { Autocomplete } from '@base-ui/react/autocomplete'
import type { ListedMember } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type RefObject, useCallback, useLayoutEffect, useMemo } from 'react'
import { useApp } from '../app.tsx'
import { hasWords } from '../fold.ts'
import { find } from '../pages/members/find.ts'
import { useWords } from '../preferences.tsx'
import { realmKey, type Scope } from '../realm.tsx'
import type { Access } from '../session.ts'
import { useSession } from '../signedIn.ts'
import { nameOf } from '../ui/bits.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { type Action, actOn, useActions } from './finderActions.ts'
import { isEntry, useUndo } from './finderUndo.ts'
import { type Place, usePlaces } from './nav.ts'
import { splitVerb } from './verbs.ts'

type Found = {
  readonly id: string
  readonly label: string
  readonly note?: string
  readonly icon: IconName
  readonly go: () => void
}
type Group = { readonly value: string; readonly items: readonly Found[] }

type FinderProps = {
  readonly text: string
  readonly input: RefObject<HTMLInputElement | null>
  readonly onText: (text: string) => void
  readonly onClose: () => void
}

/** Finds members, entries and pages. Enter opens nothing before the results for the current text arrive. */
export function Finder({ text, input, onText, onClose }: FinderProps) {
  const { finder: words } = useWords()
  const { groups, isAnswered } = useFound(text, { onText, onClose })
  useLayoutEffect(() => {
    const field = input.current
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [input])
  return (
    <Autocomplete.Root
      inline
      open
      items={groups}
      filter={null}
      value={text}
      onValueChange={onText}
      autoHighlight={isAnswered ? 'always' : false}
      itemToStringValue={(item: Found) => item.label}
    >
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Icon name="search" className="size-4 text-muted" />
        <Autocomplete.Input
          ref={input}
          aria-label={words.placeholder}
          placeholder={words.placeholder}
          onKeyDownCapture={(event) => {
            if (event.key !== 'Enter' || isAnswered) return
            event.preventDefault()
            event.stopPropagation()
          }}
          className="h-12 w-full bg-transparent text-lg outline-none placeholder:text-faint"
        />
      </div>
      <Autocomplete.Empty className="px-4 py-6 text-center text-muted text-sm empty:hidden">
        {isAnswered && words.nothing}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-[50vh] overflow-y-auto p-1.5 empty:p-0">
        {(group: Group) => <FoundGroup key={group.value} group={group} isAnswered={isAnswered} />}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}

type GroupProps = { readonly group: Group; readonly isAnswered: boolean }

function FoundGroup({ group, isAnswered }: GroupProps) {
  return (
    <Autocomplete.Group items={group.items}>
      <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-muted text-xs">
        {group.value}
      </Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(item: Found) => (
          <Autocomplete.Item
            key={item.id}
            value={item}
            onClick={item.go}
            className={`flex cursor-pointer items-center gap-3 rounded-md px-2.5 py-2 ${isAnswered ? 'data-highlighted:bg-sunken' : 'hover:bg-sunken'}`}
          >
            <Icon name={item.icon} className="size-4 text-muted" />
            <span className="min-w-0 flex-1 truncate">{item.label}</span>
            {item.note && (
              <span className="figures truncate text-muted text-sm max-sm:max-w-16">{item.note}</span>
            )}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}

type Opens = { readonly onText: (text: string) => void; readonly onClose: () => void }

function useFound(text: string, { onText, onClose }: Opens) {
  const words = useWords()
  const { finder } = words
  const { realm } = useParams({ strict: false })
  const { verb, rest } = splitVerb(text, finder)
  const { members, isAnswered } = useMembers(realm, text)
  const acted = useMembers(realm, verb === 'undo' ? '' : rest)
  const undo = useUndo(verb === 'undo' ? rest : undefined)
  const access = useAccess(realm)
  const places = useOpenPlaces(realm, access)
  const may = useCallback((scope: Scope) => access?.scopes.includes(scope) ?? false, [access])
  const actions = useActions(text, { realm, may })
  const open = useOpen({ onText, onClose })
  const groups = useMemo((): readonly Group[] => {
    const typed = text.trim()
    const itemOf = (action: Omit<Action, 'also'> & { note?: string }): Found => ({
      id: JSON.stringify([action.label, action.target, action.type]),
      label: action.label,
      icon: action.icon,
      ...(action.note && { note: action.note }),
      go: () => open(action),
    })
    const inRealm = { realm: realm ?? '' }
    const memberItems = members.map((member) =>
      itemOf({
        label: nameOf(member),
        note: noteOf(member, typed),
        icon: 'people',
        target: { to: '/r/$realm/members/$member', params: { ...inRealm, member: member.id } },
      }),
    )
    const asked =
      verb === undefined || verb === 'undo' || !may(verb === 'freeze' ? 'members:write' : 'points:write')
        ? []
        : acted.members.map((member) =>
            itemOf({ ...actOn(verb, { realm: realm ?? '', member }, words), note: member.id }),
          )
    const doing = [...asked, ...(may('points:write') ? undo.undone.map(itemOf) : [])]
    const others = actions.map(itemOf).filter(({ id }) => !doing.some((one) => one.id === id))
    const isOneGroup = typed === '' || doing.length > 0
    const journal = (search: object) => ({ to: '/r/$realm/journal', params: inRealm, search })
    const entries = isEntry(typed) && realm !== undefined ? [typed] : []
    const reasons = typed.length >= 2 && may('journal:read') ? [typed] : []
    return [
      { value: finder.doing, items: isOneGroup ? [...doing, ...others] : [] },
      { value: finder.members, items: typed === '' ? [] : memberItems },
      {
        value: finder.entries,
        items: entries.map((seq) =>
          itemOf({ label: finder.openEntry(seq), icon: 'journal', target: journal({ entry: seq }) }),
        ),
      },
      { value: `${finder.doing} `, items: isOneGroup ? [] : others },
      { value: finder.places, items: places.filter(({ label }) => hasWords(label, typed)).map(itemOf) },
      {
        value: words.journal.title,
        items: reasons.map((q) =>
          itemOf({ label: finder.reasons(q), icon: 'search', target: journal({ q }) }),
        ),
      },
    ].filter(({ items }) => items.length > 0)
  }, [text, members, acted.members, undo.undone, verb, places, actions, may, realm, words, finder, open])
  return { groups, isAnswered: isAnswered && acted.isAnswered && undo.isAnswered }
}

/** The ID, or the name that was found if it is not the one that is shown. */
function noteOf({ id, username, displayName }: ListedMember, typed: string): string {
  const hidden = displayName && username && hasWords(username, typed) && !hasWords(displayName, typed)
  return hidden ? username : id
}

/** Opens a page, or does something, and closes the finder; or puts a text into its field. */
function useOpen({ onText, onClose }: Opens) {
  const navigate = useNavigate()
  return useCallback(
    ({ target, run, type }: Pick<Action, 'target' | 'run' | 'type'>) => {
      if (type !== undefined) return onText(type)
      onClose()
      run?.()
      if (target) void navigate(target as never)
    },
    [navigate, onText, onClose],
  )
}

const shownAtMost = 6

function useMembers(realm: string | undefined, text: string) {
  const { session } = useApp()
  const isAsked = realm !== undefined && text.trim() !== ''
  const { data, isPlaceholderData, isFetched } = useQuery({
    queryKey: [...realmKey(realm ?? ''), 'members', 'finder', text],
    queryFn: ({ signal }) => find(session.realm(realm ?? ''), text, { limit: shownAtMost, signal }),
    enabled: isAsked,
    placeholderData: (before) => before,
  })
  const members = useMemo(() => {
    const found = data?.data ?? noMembers
    return isPlaceholderData ? found.filter((member) => has(member, text)) : found
  }, [data, isPlaceholderData, text])
  return { members, isAnswered: !isAsked || isFetched }
}
/** Results of an earlier text that also match the current one. */
const has = ({ id, username, displayName }: ListedMember, text: string): boolean =>
  [id, username, displayName].some((name) => name && hasWords(name, text.trim()))
const noMembers: readonly never[] = []

function useAccess(realm: string | undefined): Access | undefined {
  const { session } = useApp()
  const { data } = useQuery({
    queryKey: [...realmKey(realm ?? ''), 'access'],
    queryFn: () => session.access(realm ?? ''),
    enabled: realm !== undefined,
  })
  return data
}

/** Every page this person can open. */
function useOpenPlaces(realm: string | undefined, access: Access | undefined) {
  const words = useWords()
  const places = usePlaces()
  const { operator } = useSession()
  return useMemo(() => {
    const isShown = ({ group }: Place) => (group === 'operator' ? operator : realm !== undefined)
    const may = ({ scope }: Place) => scope === undefined || access?.scopes.includes(scope)
    return places
      .filter((place) => isShown(place) && may(place))
      .map(({ label, icon, to }) => ({ label: label(words), icon, target: { to, params: { realm } } }))
  }, [places, realm, operator, access, words])
}
