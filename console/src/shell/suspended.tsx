import type { RealmData } from '@exchequer/sdk'
import { useWords } from '../preferences.tsx'
import { Icon } from '../ui/icons.tsx'

/** Banner on every page of a realm that the operator has suspended, with the operator's reason. */
export function SuspendedBanner({ suspended }: Pick<RealmData, 'suspended'>) {
  const { shell } = useWords()
  if (suspended === null) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-2 bg-warn-soft px-4 py-2 text-sm text-warn"
    >
      <Icon name="lock" />
      {shell.suspended}
      <span className="min-w-0 break-words">{suspended.reason}</span>
    </div>
  )
}
