import type { PointKind } from '../../realm.tsx'

export const limits = ['maxBalance', 'maxPerTransfer', 'maxPerDay'] as const
type LimitName = (typeof limits)[number]

/** A point type as entered in the form. */
export type PointDraft = {
  readonly id: string
  readonly name: string
  readonly emoji: string
  readonly transferable: boolean
} & Readonly<Record<LimitName, string>>

export const draftOf = (kind: PointKind | undefined): PointDraft => ({
  id: '',
  name: kind?.name ?? '',
  emoji: kind?.emoji ?? '',
  transferable: kind?.transferable ?? true,
  maxBalance: String(kind?.maxBalance ?? ''),
  maxPerTransfer: String(kind?.maxPerTransfer ?? ''),
  maxPerDay: String(kind?.maxPerDay ?? ''),
})

const isLimit = (text: string): boolean => /^[1-9][0-9]*$/.test(text) && Number.isSafeInteger(Number(text))

/** The invalid fields. */
export function faultsOf(draft: PointDraft): readonly (LimitName | 'name' | 'id')[] {
  const wrong: (LimitName | 'name' | 'id')[] = limits.filter(
    (name) => draft[name] !== '' && !isLimit(draft[name]),
  )
  if (draft.name.trim() === '') wrong.push('name')
  if (draft.id !== '' && !/^([0-9a-fA-F]{24}|[A-Za-z][A-Za-z0-9_-]{0,63})$/.test(draft.id)) wrong.push('id')
  return wrong
}

const limitOf = (text: string): number | 'none' => (text === '' ? 'none' : Number(text))

export const rulesOf = ({ name, emoji, transferable, ...draft }: PointDraft) => ({
  name: name.trim(),
  emoji: emoji.trim(),
  transferable,
  maxBalance: limitOf(draft.maxBalance),
  maxPerTransfer: limitOf(draft.maxPerTransfer),
  maxPerDay: limitOf(draft.maxPerDay),
})
