import type { ReactNode } from 'react'
import { useWords } from '../preferences.tsx'
import { useRealm } from '../realm.tsx'
import { useSession } from '../signedIn.ts'
import { Page, Section } from './page.tsx'
import { Empty } from './states.tsx'

type ForProps = { readonly title: string; readonly children: ReactNode }

/** A page for owners: others see why it is denied and whom to ask. */
export function ForOwners({ title, children }: ForProps) {
  const { states, shell } = useWords()
  const { can, access } = useRealm()
  if (can('realm:admin')) return <>{children}</>
  return <Denied title={title} why={states.ownersOnly(shell.roles[access.role])} hint={states.askOwner} />
}

/** A page for operators. */
export function ForOperators({ title, children }: ForProps) {
  const { states } = useWords()
  if (useSession().operator) return <>{children}</>
  return <Denied title={title} why={states.operatorsOnly} hint={states.askOperator} />
}

type DeniedProps = { readonly title: string; readonly why: string; readonly hint: string }

function Denied({ title, why, hint }: DeniedProps) {
  return (
    <Page title={title}>
      <Section>
        <Empty icon="lock" title={why} hint={hint} />
      </Section>
    </Page>
  )
}
