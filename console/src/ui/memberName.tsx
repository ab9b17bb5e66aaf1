import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { realmKey, useRealm } from '../realm.tsx'
import { Avatar, nameOf } from './bits.tsx'

type Named = Parameters<typeof nameOf>[0]

type MemberNameProps = {
  readonly id: string
  /** Text around the name. */
  readonly around?: (name: string) => ReactNode
}

/** A member, as soon as it is loaded; for a merged one only its old id. */
function useNamed(id: string): Named {
  const { id: realm, client } = useRealm()
  const { data } = useQuery({
    queryKey: [...realmKey(realm), 'names', id],
    queryFn: () => client.member(id).get(),
    staleTime: 300_000,
  })
  return data?.id === id ? data : { id }
}

/** A member's name, linked to its page. */
export function MemberName({ id, around = (name) => name }: MemberNameProps) {
  const { id: realm } = useRealm()
  const name = nameOf(useNamed(id))
  return (
    <Link to="/r/$realm/members/$member" params={{ realm, member: id }} className="link">
      {around(name)}
    </Link>
  )
}

/** With the member's avatar, for tables. */
export function NamedMember({ id }: Pick<MemberNameProps, 'id'>) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-top">
      <Avatar member={useNamed(id)} size="small" />
      <MemberName id={id} />
    </span>
  )
}

/** Where a link would leave a dialog. */
export const MemberNameText = ({ id, around = (name) => name }: MemberNameProps): ReactNode =>
  around(nameOf(useNamed(id)))
