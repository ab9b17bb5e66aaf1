import { createContext, useContext } from 'react'
import type { SessionData } from './session.ts'

export const SignedIn = createContext<SessionData | undefined>(undefined)

/** Whoever is signed in. */
export function useSession(): SessionData {
  const session = useContext(SignedIn)
  if (!session) throw new Error('nobody is signed in')
  return session
}
