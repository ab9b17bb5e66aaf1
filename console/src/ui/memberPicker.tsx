import { Combobox } from '@base-ui/react/combobox'
import type { ListedMember } from '@exchequer/sdk'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { find } from '../pages/members/find.ts'
import { useWords } from '../preferences.tsx'
import { realmKey, useRealm } from '../realm.tsx'
import { Amount, Avatar, nameOf } from './bits.tsx'

/** The part of a member that the field shows. */
type Picked = Pick<ListedMember, 'id' | 'username' | 'displayName' | 'tokenBalance'>

type PickerProps = {
  readonly label: string
  readonly placeholder?: string
  readonly hint?: string
  readonly error?: string | undefined
  readonly value: Picked | null
  readonly onPick: (member: ListedMember | null) => void
}

/** Picks a member, with search as you type. */
export function MemberPicker({ label, placeholder, hint, error, value, onPick }: PickerProps) {
  const { members: words } = useWords()
  const { id: realm, client } = useRealm()
  const field = useId()
  const [text, setText] = useState('')
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'members', 'picker', text],
    queryFn: ({ signal }) => find(client, text, { limit: 8, signal }),
    placeholderData: (before) => before,
  })
  return (
    <Combobox.Root<Picked>
      items={data?.data ?? []}
      filter={null}
      value={value}
      // The selected member must be among the items.
      onValueChange={(picked) => onPick(picked as ListedMember | null)}
      onInputValueChange={setText}
      itemToStringLabel={nameOf}
      isItemEqualToValue={(one, other) => one.id === other.id}
    >
      <div className="flex flex-col gap-1.5">
        <label htmlFor={field} className="font-medium text-sm">
          {label}
        </label>
        <Combobox.Input
          id={field}
          placeholder={placeholder ?? words.search}
          className="control"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined && hint === undefined ? undefined : `${field}-description`}
        />
        {error !== undefined ? (
          <p id={`${field}-description`} className="text-bad text-sm">
            {error}
          </p>
        ) : (
          hint !== undefined && (
            <p id={`${field}-description`} className="text-muted text-sm">
              {hint}
            </p>
          )
        )}
      </div>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} align="start" className="z-60">
          <Combobox.Popup className="max-h-72 w-(--anchor-width) min-w-60 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-float">
            <Combobox.Empty className="px-2.5 py-2 text-muted text-sm empty:p-0">
              {words.noResultsHint}
            </Combobox.Empty>
            <Combobox.List>
              {(member: ListedMember) => (
                <Combobox.Item
                  key={member.id}
                  value={member}
                  className="flex cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 data-highlighted:bg-sunken"
                >
                  <Avatar member={member} />
                  <span className="min-w-0 flex-1 truncate">{nameOf(member)}</span>
                  <span className="text-muted text-sm">
                    <Amount value={member.tokenBalance} />
                  </span>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  )
}
