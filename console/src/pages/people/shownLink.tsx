import { useFormat, useWords } from '../../preferences.tsx'
import { Secret } from '../../ui/secret.tsx'
import type { MadeLink } from './circle.ts'

type ShownProps = { readonly made: MadeLink | undefined; readonly onClose: () => void }

export function ShownLink({ made, onClose }: ShownProps) {
  const { people: words } = useWords()
  const format = useFormat()
  const until = made ? words.linkUntil(format.moment(made.expiresAt)) : ''
  return (
    <Secret
      title={made?.title ?? ''}
      text={made?.link}
      label={words.theLink}
      warning={`${words.linkOnce} ${until}`}
      onClose={onClose}
    />
  )
}
