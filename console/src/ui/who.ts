import { useCallback } from 'react'
import { useWords } from '../preferences.tsx'

type Made = {
  readonly keyId: string | null
  readonly keyName: string | null
  readonly person?: { readonly id: string; readonly name: string | null } | null
}

/** The author of an entry: a person, a key by name or number, or the operator. */
export function useMakerName(): (entry: Made) => string {
  const { member: words } = useWords()
  return useCallback(
    ({ keyId, keyName, person }) => {
      if (person?.name) return person.name
      if (keyId === null || keyId === '0') return words.operator
      return keyName ?? words.key(keyId)
    },
    [words],
  )
}
