import { useEffect, useRef, useState } from 'react'

/**
 * Debounces a search field into the URL. When the URL changes on its own, as by a link, the field follows;
 * the URL catching up with earlier input does not count as such a change.
 */
export function useTyped(text: string, tell: (typed: string) => void, pauseMs = 150) {
  const [typed, setTyped] = useState(text)
  const told = useRef([text])
  const teller = useRef(tell)
  useEffect(() => {
    teller.current = tell
  })
  useEffect(() => {
    const at = told.current.indexOf(text)
    told.current = at < 0 ? [text] : told.current.slice(at)
    if (at < 0) setTyped(text)
  }, [text])
  useEffect(() => {
    if (typed === told.current.at(-1)) return
    const timer = setTimeout(() => {
      told.current.push(typed)
      teller.current(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, pauseMs])
  return [typed, setTyped] as const
}
