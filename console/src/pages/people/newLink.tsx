import type { OperatorData } from '@exchequer/sdk'
import { useAct } from '../../act.ts'
import { useWords } from '../../preferences.tsx'
import { Ask } from '../../ui/ask.tsx'
import type { Circle, OnCreate } from './circle.ts'
import { calledOf } from './columns.tsx'

type LinkProps = {
  readonly person: Pick<OperatorData, 'id' | 'name' | 'email'>
  readonly circle: Circle
  readonly open: boolean
  readonly onMade: OnCreate
  readonly onClose: () => void
}

/** For a person who can't sign in any more: their last link was used, and their session has ended. */
export function NewLink({ person, circle, open, onMade, onClose }: LinkProps) {
  const words = useWords()
  const title = words.people.newLinkTitle(calledOf(person, words))
  const make = useAct(() => circle.link(person.id), {
    key: circle.key,
    onDone: (made) => {
      onMade({ title, ...made })
      onClose()
    },
  })
  return (
    <Ask
      open={open}
      title={title}
      label={words.people.makeLink}
      busy={make.isPending}
      error={make.error}
      onConfirm={() => make.mutate()}
      onClose={onClose}
    >
      <p>{words.people.newLinkText}</p>
    </Ask>
  )
}
