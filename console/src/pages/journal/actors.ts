import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'

/** Who makes entries, by the number that the journal has of them. */
export type Actors = {
  readonly people: readonly Actor[]
  readonly keys: readonly Actor[]
  readonly nameOf: (keyId: string) => string
}
export type Actor = { readonly keyId: string; readonly name: string }

/** The names of people and keys are for owners to read; others see the numbers. */
export function useActors(): Actors {
  const { journal } = useWords()
  const { id, client, can } = useRealm()
  const { data } = useQuery({
    queryKey: [...realmKey(id), 'actors'],
    queryFn: async () => {
      const [people, keys] = await Promise.all([client.people.list(), client.keys.list()])
      return {
        people: people.map(({ keyId, name }) => ({ keyId, name: name ?? journal.keyNumber(keyId) })),
        keys: keys.map((key) => ({ keyId: key.id, name: key.name || journal.keyNumber(key.id) })),
      }
    },
    enabled: can('realm:admin'),
    staleTime: 60_000,
  })
  return useMemo(() => {
    const { people = [], keys = [] } = data ?? {}
    const names = new Map([...keys, ...people].map(({ keyId, name }) => [keyId, name]))
    const nameOf = (keyId: string) =>
      keyId === '0' ? journal.operator : (names.get(keyId) ?? journal.keyNumber(keyId))
    return { people, keys, nameOf }
  }, [data, journal])
}
