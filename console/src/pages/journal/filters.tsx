import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { type EntryType, entryTypes, longest } from '../../search.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { MemberPicker } from '../../ui/memberPicker.tsx'
import { useTyped } from '../../ui/typed.ts'
import type { Actors } from './actors.ts'

export type FilterChoice = {
  readonly type?: EntryType
  readonly member?: string
  readonly key?: string
  readonly q?: string
  readonly from?: string
  readonly to?: string
}
type FilterProps = {
  readonly chosen: FilterChoice
  readonly actors: Actors
  /** Keys seen in entries, for roles that can't list keys. */
  readonly seen: readonly string[]
  readonly onChoose: (next: { [K in keyof FilterChoice]: FilterChoice[K] | undefined }) => void
}

const noFilters = {
  type: undefined,
  member: undefined,
  key: undefined,
  q: undefined,
  from: undefined,
  to: undefined,
}

/** Filters, all kept in the URL. */
export function FilterBar({ chosen, actors, seen, onChoose }: FilterProps) {
  const { filters: words, kinds } = useWords().journal
  const any = Object.values(chosen).some((value) => value !== undefined)
  return (
    <search
      aria-label={words.label}
      className="grid grid-cols-2 items-end gap-3 md:grid-cols-4 xl:grid-cols-7"
    >
      <SelectField
        label={words.kind}
        value={chosen.type ?? ''}
        choices={[
          { value: '', label: words.allKinds },
          ...entryTypes.map((type) => ({ value: type, label: kinds[type] })),
        ]}
        onChange={({ target }) => onChoose({ type: (target.value || undefined) as EntryType | undefined })}
      />
      <ReasonField text={chosen.q ?? ''} onChange={(q) => onChoose({ q: q || undefined })} />
      <MemberField id={chosen.member} onChange={(member) => onChoose({ member })} />
      <SelectField
        label={words.by}
        value={chosen.key ?? ''}
        choices={useActorChoices(actors, [...seen, ...(chosen.key === undefined ? [] : [chosen.key])])}
        onChange={({ target }) => onChoose({ key: target.value || undefined })}
      />
      <TextField
        label={words.from}
        type="date"
        value={chosen.from ?? ''}
        onChange={({ target }) => onChoose({ from: target.value || undefined })}
      />
      <TextField
        label={words.to}
        type="date"
        value={chosen.to ?? ''}
        onChange={({ target }) => onChoose({ to: target.value || undefined })}
      />
      <Button look="ghost" icon="close" disabled={!any} onClick={() => onChoose(noFilters)}>
        {words.clear}
      </Button>
    </search>
  )
}

function useActorChoices({ people, keys, nameOf }: Actors, seen: readonly string[]) {
  const { filters: words } = useWords().journal
  const known = [...people, ...keys].map(({ keyId }) => keyId)
  const others = [...new Set(seen)].filter((keyId) => keyId !== '0' && !known.includes(keyId)).toSorted()
  return [
    { value: '', label: words.everyone },
    { value: '0', label: nameOf('0') },
    ...[...known, ...others].map((keyId) => ({ value: keyId, label: nameOf(keyId) })),
  ]
}

type ReasonProps = { readonly text: string; readonly onChange: (text: string) => void }

function ReasonField({ text, onChange }: ReasonProps) {
  const { filters: words } = useWords().journal
  const [typed, setTyped] = useTyped(text, onChange, 300)
  return (
    <TextField
      label={words.reason}
      type="search"
      placeholder={words.reasonHint}
      maxLength={longest}
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
    />
  )
}

type MemberProps = {
  readonly id: string | undefined
  readonly onChange: (member: string | undefined) => void
}

/** The URL has the ID; the field shows the name. */
function MemberField({ id, onChange }: MemberProps) {
  const { filters: words } = useWords().journal
  const { id: realm, client } = useRealm()
  const queries = useQueryClient()
  const keyOf = (member: string) => [...realmKey(realm), 'names', member]
  const { data, isLoading } = useQuery({
    queryKey: keyOf(id ?? ''),
    queryFn: () => client.member(id ?? '').get(),
    enabled: id !== undefined,
    staleTime: 300_000,
  })
  const unknown = id === undefined ? null : { id, username: null, displayName: null, tokenBalance: 0 }
  return (
    <MemberPicker
      // The field reads the name of its value only when it mounts.
      key={String(isLoading)}
      label={words.member}
      placeholder={words.memberHint}
      value={data ?? unknown}
      onPick={(member) => {
        if (member) queries.setQueryData(keyOf(member.id), member)
        onChange(member?.id)
      }}
    />
  )
}
