import { useApp } from '../../app.tsx'
import { useWords } from '../../preferences.tsx'
import { realmKey, useRealm } from '../../realm.tsx'
import { ForOperators, ForOwners } from '../../ui/denied.tsx'
import { Page } from '../../ui/page.tsx'
import { AuditLog } from './log.tsx'
import type { Source } from './look.ts'

/** Who did what in a realm. */
export function AuditPage() {
  const { audit: words } = useWords()
  return (
    <ForOwners title={words.title}>
      <OfRealm />
    </ForOwners>
  )
}

function OfRealm() {
  const { audit: words } = useWords()
  const { id, client } = useRealm()
  const source: Source = { key: [...realmKey(id), 'audit'], acts: (options) => client.audit(options) }
  return (
    <Page title={words.title} intro={words.intro}>
      <AuditLog source={source} />
    </Page>
  )
}

/** Who did what to the installation. */
export function OperatorAuditPage() {
  const { audit: words } = useWords()
  const { session } = useApp()
  const source: Source = { key: ['audit'], acts: (options) => session.operator().audit(options) }
  return (
    <ForOperators title={words.title}>
      <Page title={words.title} intro={words.introInstallation}>
        <AuditLog source={source} />
      </Page>
    </ForOperators>
  )
}
