import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { keysOf } from '../keys/read.ts'

/** Authors of entries, by their number in the journal. */
export type Actors = {
  readonly people: readonly Actor[]
  readonly keys: readonly Actor[]
  readonly nameOf: (keyId: string) => string
}
export type Actor = { readonly keyId: string; readonly name: string }

type Made = { readonly seq: string; readonly keyId: string }

/**
 * The names of people and keys. Owners can list them. Other roles can't, and operators are in no list: there
 * the name is read from one of the author's entries.
 */
export function useActors(rows: readonly Made[]): Actors {
  const { journal } = useWords()
  const listed = useListed()
  const read = useReadNames(rows, listed)
  return useMemo(() => {
    const { people, keys } = listed ?? noActors
    const names = new Map([...read, ...[...keys, ...people].map(({ keyId, name }) => [keyId, name] as const)])
    const nameOf = (keyId: string) =>
      keyId === '0' ? journal.operator : (names.get(keyId) ?? journal.keyNumber(keyId))
    return { people, keys, nameOf }
  }, [listed, read, journal])
}

type Listed = Pick<Actors, 'people' | 'keys'>
const noActors: Listed = { people: [], keys: [] }

/** Undefined while the lists are loading. */
function useListed(): Listed | undefined {
  const { journal } = useWords()
  const { id, client, can } = useRealm()
  const mayList = can('realm:admin')
  const { data, isError } = useQuery({
    queryKey: [...realmKey(id), 'actors'],
    queryFn: async () => {
      const [people, keys] = await Promise.all([client.people.list().toArray({ max: 1_000 }), keysOf(client)])
      return {
        people: people.map(({ keyId, name }) => ({ keyId, name: name ?? journal.keyNumber(keyId) })),
        keys: keys.map((key) => ({ keyId: key.id, name: key.name || journal.keyNumber(key.id) })),
      }
    },
    enabled: mayList,
    staleTime: 60_000,
  })
  return mayList && !isError ? data : noActors
}

/** At most one request for each key that is not listed. */
function useReadNames(rows: readonly Made[], listed: Listed | undefined): ReadonlyMap<string, string> {
  const { id, client } = useRealm()
  const unknown = useMemo(() => {
    if (!listed) return []
    const known = new Set([...listed.people, ...listed.keys].map(({ keyId }) => keyId))
    const made = new Map(rows.map(({ keyId, seq }) => [keyId, seq]))
    return [...made].filter(([keyId]) => keyId !== '0' && !known.has(keyId))
  }, [rows, listed])
  return useQueries({
    queries: unknown.map(([keyId, seq]) => ({
      queryKey: ['names of keys', id, keyId],
      queryFn: async () => {
        const { person, keyName } = await client.entry(seq)
        return { keyId, name: person?.name ?? keyName }
      },
      staleTime: 300_000,
    })),
    combine: namesIn,
  })
}

type Answer = { readonly data?: { readonly keyId: string; readonly name: string | null } | undefined }

const namesIn = (answers: readonly Answer[]): ReadonlyMap<string, string> =>
  new Map(answers.flatMap(({ data }) => (data?.name ? [[data.keyId, data.name] as const] : [])))
