import type { ReactNode } from 'react'
import { useWords } from '../preferences.tsx'
import { Button } from './button.tsx'
import { Dialog, DialogForm } from './dialog.tsx'
import { Refusal } from './states.tsx'

type ButtonsProps = {
  readonly label: string
  readonly danger?: boolean
  readonly busy: boolean
  readonly disabled?: boolean
  readonly onClose: () => void
}

/** The buttons of a dialog: cancel or confirm. */
export function AskButtons({ label, danger, busy, disabled, onClose }: ButtonsProps) {
  const { shell } = useWords()
  return (
    <>
      <Button onClick={onClose}>{shell.cancel}</Button>
      <Button look={danger ? 'danger' : 'primary'} type="submit" busy={busy} disabled={disabled}>
        {label}
      </Button>
    </>
  )
}

type AskProps = ButtonsProps & {
  readonly open: boolean
  readonly title: string
  readonly error: unknown
  readonly children: ReactNode
  readonly onConfirm: () => void
}

/** Asks for confirmation and states the consequences. */
export function Ask({ open, title, error, children, onConfirm, onClose, ...buttons }: AskProps) {
  return (
    <Dialog open={open} title={title} onClose={onClose}>
      <DialogForm onSubmit={onConfirm} footer={<AskButtons {...buttons} onClose={onClose} />}>
        {children}
        <Refusal error={error} />
      </DialogForm>
    </Dialog>
  )
}
