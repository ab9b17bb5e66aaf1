import { Dialog } from '@base-ui/react/dialog'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useWords } from '../preferences.tsx'
import { Icon } from '../ui/icons.tsx'

const loadFinder = async () => ({ default: (await import('./finder.tsx')).Finder })
const Finder = lazy(loadFinder)

/** Loads the finder when the page is idle, so that it is usually loaded before it is opened. */
export function useFinderPreload(): void {
  useEffect(() => {
    // Safari has no requestIdleCallback.
    const whenIdle = globalThis.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500))
    whenIdle(() => void loadFinder().catch(() => undefined))
  }, [])
}

/** Ctrl-K. It opens immediately, even while its code is loading, and keeps every key typed. */
export function FinderDialog({ onClose }: { readonly onClose: () => void }) {
  const { finder: words } = useWords()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  useEarlyKeys(input, setText)
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Popup
          initialFocus={input}
          className="fixed inset-x-3 top-[10vh] z-50 mx-auto max-w-xl overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none"
        >
          <Dialog.Title className="sr-only">{words.title}</Dialog.Title>
          <Suspense fallback={<LoadingField text={text} />}>
            <Finder text={text} input={input} onText={setText} onClose={onClose} />
          </Suspense>
          <p className="border-line border-t bg-page/60 px-4 py-2 text-muted text-xs">{words.keys}</p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function LoadingField({ text }: { readonly text: string }) {
  const { finder: words } = useWords()
  return (
    <div className="flex h-12 items-center gap-3 px-4 text-lg">
      <Icon name="search" className="size-4 text-muted" />
      {text === '' ? <span className="text-faint">{words.placeholder}</span> : text}
    </div>
  )
}

type Input = { readonly current: HTMLInputElement | null }

/** Keys typed before the field exists or has the focus are added to its text. */
function useEarlyKeys(input: Input, setText: (change: (before: string) => string) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.target === input.current || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Backspace') setText((before) => before.slice(0, -1))
      else if (/^.$/u.test(event.key)) setText((before) => before + event.key)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [input, setText])
}
