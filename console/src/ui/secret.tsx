import { useWords } from '../preferences.tsx'
import { Code, Copy } from './bits.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogForm } from './dialog.tsx'
import { Notice } from './states.tsx'

type SecretProps = {
  readonly title: string
  /** Undefined while there is nothing to show. */
  readonly text: string | undefined
  readonly label: string
  readonly warning: string
  readonly onClose: () => void
}

/** A secret shown once. It stays open until the user confirms. */
export function Secret({ title, text, label, warning, onClose }: SecretProps) {
  const { shell } = useWords()
  const footer = (
    <Button look="primary" type="submit">
      {shell.kept}
    </Button>
  )
  return (
    <Dialog open={text !== undefined} title={title} firm onClose={onClose}>
      <DialogForm onSubmit={onClose} footer={footer}>
        <Notice tone="warn">{warning}</Notice>
        <div className="flex flex-col gap-1.5">
          <p className="font-medium text-sm">{label}</p>
          <div className="rounded-md border border-line-strong bg-sunken px-3 py-2.5">
            <Code className="select-all">{text}</Code>
          </div>
        </div>
        <div>
          <Copy text={text ?? ''} button />
        </div>
      </DialogForm>
    </Dialog>
  )
}
