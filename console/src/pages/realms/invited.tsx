import { useAct } from '../../act.ts'
import { sessionKey, useApp } from '../../app.tsx'
import { useFormat, useWords } from '../../preferences.tsx'
import type { ReceivedInvitation } from '../../session.ts'
import { useSession } from '../../signedIn.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'

/** Open invitations of the signed-in person. */
export function Invited() {
  const { session: words } = useWords()
  const { invitations } = useSession()
  if (invitations.length === 0) return null
  return (
    <Section bare title={words.invitations} intro={words.invitationsIntro}>
      <ul>
        {invitations.map((one) => (
          <Invitation key={one.id} invitation={one} />
        ))}
      </ul>
    </Section>
  )
}

function Invitation({
  invitation: { id, realm, role, expiresAt },
}: {
  readonly invitation: ReceivedInvitation
}) {
  const { session: words, shell } = useWords()
  const format = useFormat()
  const { session } = useApp()
  const name = realm?.name ?? words.toOperators
  const accept = useAct(() => session.answer(id, 'accept'), {
    key: sessionKey,
    done: words.accepted(name),
    alone: true,
  })
  const decline = useAct(() => session.answer(id, 'decline'), {
    key: sessionKey,
    done: words.declined(name),
    alone: true,
  })
  const isBusy = accept.isPending || decline.isPending
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-5 py-3 last:border-0">
      <span className="min-w-40 flex-1">
        <span className="block break-words font-medium">{name}</span>
        <span className="text-muted text-sm">
          {words.invitedAs(shell.roles[role ?? 'operator'], format.moment(expiresAt))}
        </span>
      </span>
      <span className="flex gap-2">
        <Button small disabled={isBusy} aria-label={words.declineOf(name)} onClick={() => decline.mutate()}>
          {words.decline}
        </Button>
        <Button
          small
          look="primary"
          disabled={isBusy}
          aria-label={words.acceptOf(name)}
          onClick={() => accept.mutate()}
        >
          {words.accept}
        </Button>
      </span>
    </li>
  )
}
