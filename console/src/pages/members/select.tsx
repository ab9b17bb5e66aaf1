import type { ListedMember } from '@exchequer/sdk'
import { useEffect, useRef } from 'react'
import { useFormat, useWords } from '../../preferences.tsx'
import { nameOf } from '../../ui/bits.tsx'
import { allId, type Selection } from './selection.ts'

// Larger than what is seen of it, and above the link that covers its row.
const target = 'relative z-1 -m-3 flex p-3'
const box = 'size-4 accent-accent-fill'

type SelectProps = { readonly member: ListedMember; readonly selection: Selection }

/** Selects a row's member. */
export function Select({ member, selection }: SelectProps) {
  const { selection: words } = useWords()
  const isSelected = selection.members.has(member.id)
  return (
    <label className={target}>
      <input
        type="checkbox"
        aria-label={words.select(nameOf(member))}
        checked={isSelected}
        disabled={selection.isFull && !isSelected}
        onChange={({ target: { checked } }) => selection.set([member], checked)}
        className={box}
      />
    </label>
  )
}

type AllProps = { readonly members: readonly ListedMember[]; readonly selection: Selection }

/** Selects all members of the list that are loaded. */
export function SelectAll({ members, selection }: AllProps) {
  const { selection: words } = useWords()
  const format = useFormat()
  const input = useRef<HTMLInputElement>(null)
  const count = members.filter(({ id }) => selection.members.has(id)).length
  const isAll = count === members.length
  useEffect(() => {
    if (input.current) input.current.indeterminate = count > 0 && !isAll
  }, [count, isAll])
  return (
    <label className={target}>
      <input
        ref={input}
        id={allId}
        type="checkbox"
        aria-label={words.selectAll(format.number(members.length))}
        checked={isAll}
        disabled={selection.isFull && count === 0}
        // What is selected in part is completed first, unless no more can be selected.
        onChange={() => selection.set(members, !isAll && !(selection.isFull && count > 0))}
        className={box}
      />
    </label>
  )
}
