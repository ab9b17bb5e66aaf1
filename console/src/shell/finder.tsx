import { Autocomplete } from '@base-ui/react/autocomplete'
import type { ListedMember } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type RefObject, useLayoutEffect, useMemo } from 'react'
import { useApp } from '../app.tsx'
import { find } from '../pages/members/find.ts'
import { useWords } from '../preferences.tsx'
import { realmKey } from '../realm.tsx'
import { useSession } from '../signedIn.ts'
import { nameOf } from '../ui/bits.tsx'
import { Icon, type IconName } from '../ui/icons.tsx'
import { type Place, usePlaces } from './nav.ts'

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
  const { groups, isAnswered } = useFound(text, onClose)
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
            {item.note && <span className="figures truncate text-muted text-sm">{item.note}</span>}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}

function useFound(text: string, onClose: () => void) {
  const { finder: words } = useWords()
  const { realm } = useParams({ strict: false })
  const { members, isAnswered } = useMembers(realm, text)
  const places = useOpenPlaces(realm)
  const navigate = useNavigate()
  const groups = useMemo((): readonly Group[] => {
    const to = (target: object) => () => {
      onClose()
      void navigate(target as never)
    }
    const typed = text.trim().toLowerCase()
    const found = members.map((member): Found => {
      const target = { to: '/r/$realm/members/$member', params: { realm, member: member.id } }
      return {
        id: `member ${member.id}`,
        label: nameOf(member),
        note: member.id,
        icon: 'people',
        go: to(target),
      }
    })
    const number = /^[1-9][0-9]{0,15}$/.test(typed) && realm !== undefined
    const entry = { to: '/r/$realm/journal', params: { realm }, search: { entry: typed } }
    const entries: Found[] = number
      ? [{ id: `entry ${typed}`, label: words.openEntry(typed), icon: 'journal', go: to(entry) }]
      : []
    const right = places
      .filter(({ label }) => label.toLowerCase().includes(typed))
      .map(({ label, icon, target }): Found => ({ id: `place ${label}`, label, icon, go: to(target) }))
    return [
      { value: words.members, items: typed === '' ? [] : found },
      { value: words.entries, items: entries },
      { value: words.places, items: right },
    ].filter(({ items }) => items.length > 0)
  }, [text, members, places, realm, words, navigate, onClose])
  return { groups, isAnswered }
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
    return isPlaceholderData ? found.filter((member) => begins(member, text)) : found
  }, [data, isPlaceholderData, text])
  return { members, isAnswered: !isAsked || isFetched }
}
/** Results of an earlier text that also match the current one. */
const begins = ({ username, displayName }: ListedMember, text: string): boolean =>
  [username, displayName].some((name) => name?.toLowerCase().startsWith(text.trim().toLowerCase()))
const noMembers: readonly never[] = []

/** Every page this person can open. */
function useOpenPlaces(realm: string | undefined) {
  const words = useWords()
  const places = usePlaces()
  const { operator } = useSession()
  const { session } = useApp()
  const { data: access } = useQuery({
    queryKey: [...realmKey(realm ?? ''), 'access'],
    queryFn: () => session.access(realm ?? ''),
    enabled: realm !== undefined,
  })
  return useMemo(() => {
    const isShown = ({ group }: Place) => (group === 'operator' ? operator : realm !== undefined)
    const may = ({ scope }: Place) => scope === undefined || access?.scopes.includes(scope)
    return places
      .filter((place) => isShown(place) && may(place))
      .map(({ label, icon, to }) => ({ label: label(words), icon, target: { to, params: { realm } } }))
  }, [places, realm, operator, access, words])
}
