import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useWords } from '../preferences.tsx'
import { realmKey, useRealm } from '../realm.tsx'

type Made = {
  readonly keyId: string | null
  readonly person?: { readonly id: string; readonly name: string | null } | null
}

/** Who made an entry: a person by name, a key by its name where one may know it, or the operator. */
export function useKeyNames(): (entry: Made) => string {
  const { member: words } = useWords()
  const { id: realm, client, can } = useRealm()
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'keys'],
    queryFn: () => client.keys.list(),
    enabled: can('realm:admin'),
    staleTime: 60_000,
  })
  return useCallback(
    ({ keyId, person }) => {
      if (person?.name) return person.name
      if (keyId === null || keyId === '0') return words.operator
      return words.key(data?.find(({ id }) => id === keyId)?.name ?? keyId)
    },
    [data, words],
  )
}
