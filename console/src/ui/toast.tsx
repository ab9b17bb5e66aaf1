import { Toast } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { useWords } from '../preferences.tsx'
import { IconButton } from './button.tsx'
import { Icon } from './icons.tsx'
import { explain } from './states.tsx'

/** Shows a success toast: useSuccessToast()('Saved'). */
export function useSuccessToast(): (title: string, description?: string) => void {
  const { add } = Toast.useToastManager()
  return (title, description) => {
    add({ title, ...(description === undefined ? {} : { description }) })
  }
}

/** Shows a failure toast, where no inline error can: useFailed()(error, 'Award · Ann'). */
export function useFailed(): (error: unknown, what?: string) => void {
  const { add } = Toast.useToastManager()
  const words = useWords()
  return (error, what) => {
    const { title, hint } = explain(error, words)
    add({ title: what ?? title, description: hint, type: 'bad', priority: 'high', timeout: 15_000 })
  }
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={5000} limit={3}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 left-4 z-50 flex flex-col gap-2 sm:left-auto sm:w-80">
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  const { shell } = useWords()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="flex items-start gap-2.5 rounded-lg border border-line bg-raised py-2.5 pr-1.5 pl-3.5 shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      {toast.type === 'bad' ? (
        <Icon name="alert" className="mt-1 size-4 text-bad" />
      ) : (
        <Icon name="check" className="mt-1 size-4 text-good" />
      )}
      <div className="min-w-0 flex-1 py-0.5">
        <Toast.Title className="break-words font-medium" />
        <Toast.Description className="break-words text-muted text-sm" />
      </div>
      <Toast.Close render={<IconButton icon="close" label={shell.close} className="size-7" />} />
    </Toast.Root>
  ))
}
