import { createContext, useContext } from 'react'
import type { SessionData } from './session.ts'

export const SignedIn = createContext<SessionData | undefined>(undefined)

/** The signed-in person's session. */
export function useSession(): SessionData {
  const session = useContext(SignedIn)
  if (!session) throw new Error('no person is signed in')
  return session
}
