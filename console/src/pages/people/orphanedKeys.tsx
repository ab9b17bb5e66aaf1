import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { Section } from '../../ui/page.tsx'
import { calledOf } from './columns.tsx'
import { AskRevoke, RevocableTable, RevokeAll, useRevoking } from './revoking.tsx'

/** Keys issued by people who were removed or can no longer issue keys. Hidden when there are none. */
export function OrphanedKeys() {
  const words = useWords()
  const { id, client } = useRealm()
  const { data } = useQuery({
    queryKey: [...realmKey(id), 'people', 'orphaned keys'],
    queryFn: () => client.keys.orphaned().toArray({ max: 1_000 }),
  })
  const keys = useMemo(
    () =>
      (data ?? []).map(({ issuer, ...key }) => ({
        id: key.id,
        name: key.name || key.id,
        text: `${key.prefix}…${key.lastFour}`,
        about: words.people.issuer(
          calledOf({ ...issuer, email: null }, words),
          issuer.role ? words.shell.roles[issuer.role] : words.people.wasRemoved,
        ),
        lastUsedAt: key.lastUsedAt,
        revoke: () => client.keys.revoke(key.id),
      })),
    [data, client, words],
  )
  const revoking = useRevoking(keys, realmKey(id))
  return (
    <>
      {revoking.left.length > 0 && (
        <Section
          bare
          title={words.people.orphaned}
          intro={words.people.orphanedIntro}
          actions={<RevokeAll revoking={revoking} />}
        >
          <RevocableTable revoking={revoking} label={words.people.orphaned} about={words.people.issuedBy} />
        </Section>
      )}
      <AskRevoke revoking={revoking} />
    </>
  )
}
