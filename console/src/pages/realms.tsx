import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { useApp } from '../app.tsx'
import { useWords } from '../preferences.tsx'
import type { Role } from '../session.ts'
import { useSession } from '../signedIn.ts'
import { Badge, Code } from '../ui/bits.tsx'
import { TextField } from '../ui/field.tsx'
import { Icon } from '../ui/icons.tsx'
import { Page, Section } from '../ui/page.tsx'
import { Empty, Problem, Skeleton } from '../ui/states.tsx'

const route = getRouteApi('/')
type Listed = { readonly id: string; readonly name: string; readonly role: Role }

/** Every realm that somebody may enter. Who has a single one is in it at once. */
export function RealmsPage() {
  const { session: words } = useWords()
  const { realms, operator } = useSession()
  const { all, q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const every = useAllRealms()
  const [only] = realms
  if (!operator && !all && only && realms.length === 1)
    return <Navigate to="/r/$realm" params={{ realm: only.id }} replace />
  const wanted = q.toLowerCase()
  const listed = (operator ? (every.data ?? []) : realms).filter(({ id, name }) =>
    `${name} ${id}`.toLowerCase().includes(wanted),
  )
  return (
    <Page title={words.realmsTitle}>
      <div className="max-w-sm">
        <TextField
          label={words.findRealm}
          hideLabel
          type="search"
          placeholder={words.findRealm}
          value={q}
          onChange={({ target }) =>
            void navigate({
              search: target.value ? { all: true, q: target.value } : { all: true },
              replace: true,
            })
          }
        />
      </div>
      <Section bare>
        {every.error ? (
          <Problem error={every.error} onRetry={() => void every.refetch()} />
        ) : operator && !every.data ? (
          <Skeleton />
        ) : (
          <List realms={listed} />
        )}
      </Section>
    </Page>
  )
}

const shownAtMost = 500

/** An operator may enter any realm, so all are listed; theirs are told in the session. */
function useAllRealms() {
  const { session } = useApp()
  const { operator, realms } = useSession()
  return useQuery({
    queryKey: ['realms'],
    enabled: operator,
    queryFn: async () => {
      const found: Listed[] = []
      for await (const { id, name } of session.operator().realms()) {
        found.push({ id, name, role: realms.find((one) => one.id === id)?.role ?? 'operator' })
        if (found.length >= shownAtMost) break
      }
      return found
    },
  })
}

function List({ realms }: { readonly realms: readonly Listed[] }) {
  const { session: words, shell } = useWords()
  if (realms.length === 0) return <Empty icon="realms" title={words.noRealms} hint={words.noRealmsHint} />
  return (
    <ul>
      {realms.map(({ id, name, role }) => (
        <li key={id} className="border-line border-b last:border-0">
          <Link
            to="/r/$realm"
            params={{ realm: id }}
            className="flex items-center gap-3 px-5 py-3 hover:bg-page"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{name}</span>
              <Code className="text-muted">{id}</Code>
            </span>
            <Badge>{shell.roles[role]}</Badge>
            <Icon name="right" className="size-4 text-muted" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
