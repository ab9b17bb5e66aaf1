import { Dialog as Base } from '@base-ui/react/dialog'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useWords } from '../preferences.tsx'
import { Button, IconButton } from './button.tsx'

type DialogProps = {
  readonly open: boolean
  readonly title: ReactNode
  readonly intro?: ReactNode
  readonly wide?: boolean
  /** Closed only by its own buttons: neither Escape nor a click outside loses what it shows. */
  readonly firm?: boolean
  readonly children: ReactNode
  readonly onClose: () => void
}

const typedInto = 'form :is(input, textarea):not([aria-hidden=true], [tabindex="-1"], [disabled])'

const submits = 'form button[type=submit]:not([disabled])'

/**
 * A dialog in the middle of the window; on a phone a sheet from below. Escape closes it. Once something was
 * typed into it, a click outside does not, and Escape asks first.
 */
export function Dialog({ open, title, intro, wide, firm, children, onClose }: DialogProps) {
  const { shell } = useWords()
  const popup = useRef<HTMLDivElement>(null)
  // Focus the first field, except on a phone, where the keyboard would cover the text.
  const firstField = (by: string) =>
    by === 'touch' ||
    (popup.current?.querySelector<HTMLElement>(typedInto) ??
      popup.current?.querySelector<HTMLElement>(submits) ??
      true)
  const typed = useTypedInto(open)
  const close = () => {
    typed.clear()
    onClose()
  }
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (next || (firm && reason !== 'close-press')) return
        if (typed.keeps(reason)) return
        close()
      }}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          ref={popup}
          initialFocus={firstField}
          onInput={({ currentTarget }) => {
            typed.note()
            // Ctrl-K does not open over it.
            currentTarget.dataset['typed'] = ''
          }}
          onKeyDown={submitFromFrame}
          className={`fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col overflow-hidden rounded-t-xl border border-line bg-raised shadow-float transition-[opacity,transform] duration-150 data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0 sm:inset-x-auto sm:top-[12vh] sm:bottom-auto sm:left-1/2 sm:max-h-[80vh] sm:-translate-x-1/2 sm:rounded-xl ${wide ? 'sm:w-[46rem]' : 'sm:w-[29rem]'} sm:max-w-[calc(100vw-2rem)]`}
        >
          <header className="flex items-start gap-3 border-line border-b px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Base.Title className="font-semibold text-lg">{title}</Base.Title>
              {intro !== undefined && (
                <Base.Description className="mt-0.5 text-muted text-sm">{intro}</Base.Description>
              )}
            </div>
            <Base.Close render={<IconButton icon="close" label={shell.close} className="-mr-2 -mt-0.5" />} />
          </header>
          {children}
          {typed.isAsking && <Discard onKeep={typed.keep} onDiscard={close} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Whether something was typed into the dialog since it opened, and whether it asks what to do with it. */
function useTypedInto(open: boolean) {
  const isTyped = useRef(false)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    if (open) return
    isTyped.current = false
    setAsking(false)
  }, [open])
  return {
    isAsking,
    note: () => {
      isTyped.current = true
    },
    clear: () => {
      isTyped.current = false
      setAsking(false)
    },
    keep: () => setAsking(false),
    /** Whether the dialog stays open. */
    keeps: (reason: string): boolean => {
      if (!isTyped.current || reason === 'close-press') return false
      if (reason === 'escape-key') setAsking((before) => !before)
      return true
    },
  }
}

function Discard({ onKeep, onDiscard }: { readonly onKeep: () => void; readonly onDiscard: () => void }) {
  const { shell } = useWords()
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-end gap-2 border-line border-t bg-warn-soft px-5 py-3"
    >
      <span className="mr-auto text-warn">{shell.discardAsk}</span>
      <Button look="danger" small onClick={onDiscard}>
        {shell.discard}
      </Button>
      <Button small onClick={onKeep}>
        {shell.keepTyped}
      </Button>
    </div>
  )
}

/** Enter on the dialog itself, where the focus is after a click beside the fields. */
function submitFromFrame(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== 'Enter' || event.target !== event.currentTarget) return
  event.currentTarget.querySelector<HTMLElement>(submits)?.click()
}

type FormProps = {
  readonly children: ReactNode
  readonly footer: ReactNode
  readonly onSubmit?: () => void
}

/** What is in a dialog: its fields, which scroll, and its buttons, which stay. */
export function DialogForm({ children, footer, onSubmit }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const isFocused = useRef(false)
  // A step that ends takes its field with it: Enter then confirms what the next one shows.
  useEffect(() => {
    if (!isFocused.current) return
    const active = document.activeElement
    if (active === document.body || active === form.current?.closest('[role=dialog]'))
      form.current?.querySelector<HTMLElement>('button[type=submit]:not([disabled])')?.focus()
  })
  return (
    <form
      ref={form}
      onFocus={() => {
        isFocused.current = true
      }}
      onSubmit={submit}
      // A key that is held down does not confirm the next step.
      onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
      noValidate
      className="flex min-h-0 flex-col"
    >
      <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 py-4">{children}</div>
      <footer className="flex flex-wrap justify-end gap-2 border-line border-t bg-page/60 px-5 py-3">
        {footer}
      </footer>
    </form>
  )
}
