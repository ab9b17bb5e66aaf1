import { useQuery } from '@tanstack/react-query'
import { dayAt, dayBefore, type Repeated, startOf, startOfNext, startOfPrevious } from '../../days.ts'
import { useFormat, useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { IconButton } from '../../ui/button.tsx'

/** The first day of a past week or month; undefined for the current one. */
export function pastStart(period: Repeated, from: string | undefined, today: string): string | undefined {
  const start = from === undefined ? undefined : startOf(period, from)
  return start !== undefined && start < startOf(period, today) ? start : undefined
}

/** The day of the first entry: no points were gained before it. Undefined until it is known. */
function useFirstDay(): string | undefined {
  const { id, client, data } = useRealm()
  const query = useQuery({
    queryKey: [...realmKey(id), 'first entry'],
    queryFn: async () => (await client.journal({ cursor: '0' }).page({ limit: 1 })).data[0]?.atUs ?? null,
    staleTime: 300_000,
  })
  return query.data ? dayAt(new Date(Number(query.data) / 1000), data.timeZone) : undefined
}

type StepperProps = {
  readonly period: Repeated
  /** The first day of a past one. */
  readonly past: string | undefined
  readonly today: string
  readonly onGo: (start: string | undefined) => void
}

/** The week or month that is shown, and buttons to the ones before and after it. */
export function Stepper({ period, past, today, onGo }: StepperProps) {
  const { leaderboard: words } = useWords()
  const format = useFormat()
  const first = useFirstDay()
  const current = startOf(period, today)
  const start = past ?? current
  const next = startOfNext(period, start)
  const label = () => {
    if (past === undefined) return words.current[period]
    return period === 'month' ? format.monthName(start) : format.dayRange(start, dayBefore(next))
  }
  return (
    <div className="inline-flex items-center self-start rounded-md border border-line-strong bg-surface shadow-card max-sm:w-full">
      <IconButton
        icon="left"
        label={words.earlier[period]}
        disabled={first === undefined || first >= start}
        onClick={() => onGo(startOfPrevious(period, start))}
      />
      <span aria-live="polite" className="figures min-w-48 flex-1 px-2 text-center font-medium text-sm">
        {label()}
      </span>
      <IconButton
        icon="right"
        label={words.later[period]}
        disabled={past === undefined}
        onClick={() => onGo(next < current ? next : undefined)}
      />
    </div>
  )
}
