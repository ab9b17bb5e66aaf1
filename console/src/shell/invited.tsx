import { Link, useMatchRoute } from '@tanstack/react-router'
import { useWords } from '../preferences.tsx'
import { useSession } from '../signedIn.ts'
import { Icon } from '../ui/icons.tsx'

/** Banner for open invitations, on every page except the one that lists them. */
export function InvitedBanner() {
  const { session: words } = useWords()
  const { invitations } = useSession()
  const isListed = useMatchRoute()({ to: '/' })
  if (invitations.length === 0 || isListed) return null
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-center gap-x-2 bg-accent-soft px-4 py-2 text-sm"
    >
      <Icon name="people" />
      {words.invited(invitations.length)}
      <Link to="/" search={{ all: true }} className="font-medium underline">
        {words.seeInvitations}
      </Link>
    </div>
  )
}
