import type { ListedMember } from '@exchequer/sdk'
import { useFormat, useWords } from '../../preferences.tsx'
import { Ask } from '../../ui/ask.tsx'
import { Progress } from '../../ui/progress.tsx'
import { useMany } from '../member/many.ts'

type VisibilityProps = {
  readonly members: readonly ListedMember[]
  readonly act: 'hide' | 'show'
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Hides members from leaderboards, or shows them again. */
export function VisibilityDialog({ members, act, onClose, onDone }: VisibilityProps) {
  const { selection, freeze } = useWords()
  const format = useFormat()
  const words = selection[act]
  const title = words.title(format.number(members.length))
  const hidden = act === 'hide'
  const { change, read } = useMany({
    ids: members.map(({ id }) => id),
    changeOf: (member) => (member.hidden === hidden ? undefined : { hidden }),
    done: (count) => words.done(format.number(count)),
    title,
    onDone,
  })
  return (
    <Ask
      open
      title={title}
      label={words.confirm}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <p>{words.effect}</p>
      {change.isPending && (
        <Progress label={title} done={read} all={members.length}>
          {freeze.reading(format.number(read), format.number(members.length))}
        </Progress>
      )}
    </Ask>
  )
}
