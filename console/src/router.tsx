import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { RealmLayout } from './realm.tsx'
import { Crash, NotFound, Root } from './root.tsx'
import * as search from './search.ts'

/** Every page, its path and its search parameters. Each page is loaded on first use. */

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })
const realm = createRoute({ getParentRoute: () => root, path: 'r/$realm', component: RealmLayout })

const realms = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: search.realms,
  component: lazyRouteComponent(() => import('./pages/realms/realms.tsx'), 'RealmsPage'),
})
const overview = createRoute({
  getParentRoute: () => realm,
  path: '/',
  validateSearch: search.overview,
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
})
const members = createRoute({
  getParentRoute: () => realm,
  path: 'members',
  validateSearch: search.members,
  component: lazyRouteComponent(() => import('./pages/members/members.tsx'), 'MembersPage'),
})
const member = createRoute({
  getParentRoute: () => realm,
  path: 'members/$member',
  validateSearch: search.member,
  component: lazyRouteComponent(() => import('./pages/member/member.tsx'), 'MemberPage'),
})
const leaderboard = createRoute({
  getParentRoute: () => realm,
  path: 'leaderboard',
  validateSearch: search.leaderboard,
  component: lazyRouteComponent(() => import('./pages/leaderboard/leaderboard.tsx'), 'LeaderboardPage'),
})
const journal = createRoute({
  getParentRoute: () => realm,
  path: 'journal',
  validateSearch: search.journal,
  component: lazyRouteComponent(() => import('./pages/journal/journal.tsx'), 'JournalPage'),
})
const awards = createRoute({
  getParentRoute: () => realm,
  path: 'awards',
  component: lazyRouteComponent(() => import('./pages/awards/awards.tsx'), 'AwardsPage'),
})
const imports = createRoute({
  getParentRoute: () => realm,
  path: 'import',
  component: lazyRouteComponent(() => import('./pages/import/import.tsx'), 'ImportPage'),
})
const exports = createRoute({
  getParentRoute: () => realm,
  path: 'export',
  component: lazyRouteComponent(() => import('./pages/export/export.tsx'), 'ExportPage'),
})
const points = createRoute({
  getParentRoute: () => realm,
  path: 'points',
  component: lazyRouteComponent(() => import('./pages/points/points.tsx'), 'PointsPage'),
})
const keys = createRoute({
  getParentRoute: () => realm,
  path: 'keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'KeysPage'),
})
const people = createRoute({
  getParentRoute: () => realm,
  path: 'people',
  component: lazyRouteComponent(() => import('./pages/people/people.tsx'), 'PeoplePage'),
})
const settings = createRoute({
  getParentRoute: () => realm,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
})
const audit = createRoute({
  getParentRoute: () => realm,
  path: 'audit',
  validateSearch: search.audit,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
})
const operators = createRoute({
  getParentRoute: () => root,
  path: 'operators',
  component: lazyRouteComponent(() => import('./pages/operators/operators.tsx'), 'OperatorsPage'),
})
const health = createRoute({
  getParentRoute: () => root,
  path: 'health',
  component: lazyRouteComponent(() => import('./pages/health/health.tsx'), 'HealthPage'),
})
const installationAudit = createRoute({
  getParentRoute: () => root,
  path: 'audit',
  validateSearch: search.audit,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'OperatorAuditPage'),
})

const workPages = [journal, awards, imports, exports] as const
const settingPages = [points, keys, people, settings, audit] as const
const operatorPages = [operators, health, installationAudit] as const

const tree = root.addChildren([
  realms,
  realm.addChildren([overview, members, member, leaderboard, ...workPages, ...settingPages]),
  ...operatorPages,
])

export const makeRouter = (path: string) =>
  createRouter({
    routeTree: tree,
    basepath: path,
    parseSearch: search.readSearch,
    stringifySearch: search.writeSearch,
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
