import { useEffect, useRef, useState } from 'react'

/**
 * Debounces a search field into the URL. When the URL changes on its own, as by a link, the field follows;
 * the URL catching up with earlier input does not count as such a change.
 */
export function useTyped(text: string, onChange: (typed: string) => void, pauseMs = 150) {
  const [typed, setTyped] = useState(text)
  const sent = useRef([text])
  const handler = useRef(onChange)
  useEffect(() => {
    handler.current = onChange
  })
  useEffect(() => {
    const at = sent.current.indexOf(text)
    sent.current = at < 0 ? [text] : sent.current.slice(at)
    if (at < 0) setTyped(text)
  }, [text])
  useEffect(() => {
    if (typed === sent.current.at(-1)) return
    const timer = setTimeout(() => {
      sent.current.push(typed)
      handler.current(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, pauseMs])
  return [typed, setTyped] as const
}
