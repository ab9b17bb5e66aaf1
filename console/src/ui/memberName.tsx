import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { realmKey, useRealm } from '../realm.tsx'
import { nameOf } from './bits.tsx'

type MemberNameProps = {
  readonly id: string
  /** Text around the name. */
  readonly around?: (name: string) => ReactNode
}

/** A member's name, as soon as it is loaded; for a merged one its old id. */
function useName(id: string): string {
  const { id: realm, client } = useRealm()
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'names', id],
    queryFn: () => client.member(id).get(),
    staleTime: 300_000,
  })
  return data?.id === id ? nameOf(data) : id
}

/** Linked to the member's page. */
export function MemberName({ id, around = (name) => name }: MemberNameProps) {
  const { id: realm } = useRealm()
  const name = useName(id)
  return (
    <Link to="/r/$realm/members/$member" params={{ realm, member: id }} className="link">
      {around(name)}
    </Link>
  )
}

/** Where a link would leave a dialog. */
export const MemberNameText = ({ id, around = (name) => name }: MemberNameProps): ReactNode =>
  around(useName(id))
