import { useEffect } from 'react'

const takesText = 'input, textarea, select, [contenteditable], [role=dialog]'

/** Receives what is pasted anywhere on the page, unless a field or a dialog has the focus. */
export function usePastedList(onPaste: (text: string) => void): void {
  useEffect(() => {
    const receive = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? ''
      const isElsewhere = event.target instanceof Element && event.target.closest(takesText) !== null
      if (text === '' || isElsewhere) return
      event.preventDefault()
      onPaste(text)
    }
    addEventListener('paste', receive)
    return () => removeEventListener('paste', receive)
  }, [onPaste])
}
