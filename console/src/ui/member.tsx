import { Link } from '@tanstack/react-router'
import { useRealm } from '../realm.tsx'
import { Avatar, nameOf } from './bits.tsx'

type Linked = { readonly id: string; readonly username?: string | null; readonly displayName?: string | null }

/** A member's avatar and name, linked to its page. */
export function MemberLink({ member, bare }: { readonly member: Linked; readonly bare?: boolean }) {
  const { id } = useRealm()
  return (
    <Link
      to="/r/$realm/members/$member"
      params={{ realm: id, member: member.id }}
      className="inline-flex min-w-0 max-w-full items-center gap-2.5 rounded-sm hover:text-accent"
    >
      {!bare && <Avatar member={member} />}
      <span className="min-w-0 break-words font-medium">{nameOf(member)}</span>
    </Link>
  )
}
