import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { RealmLayout } from './realm.tsx'
import { Crash, NotFound, Root } from './root.tsx'
import * as search from './search.ts'

/**
 * Every page: its path, its search parameters and its entry in the menu, which has this order. Each page is
 * loaded on first use.
 */

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })
const realm = createRoute({ getParentRoute: () => root, path: 'r/$realm', component: RealmLayout })

const realms = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: search.realms,
  component: lazyRouteComponent(() => import('./pages/realms/realms.tsx'), 'RealmsPage'),
  staticData: { menu: { group: 'operator', label: ({ shell }) => shell.nav.realms, icon: 'realms' } },
})
const overview = createRoute({
  getParentRoute: () => realm,
  path: '/',
  validateSearch: search.overview,
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
  staticData: { menu: { group: 'top', label: ({ shell }) => shell.nav.overview, icon: 'overview' } },
})
const members = createRoute({
  getParentRoute: () => realm,
  path: 'members',
  validateSearch: search.members,
  component: lazyRouteComponent(() => import('./pages/members/members.tsx'), 'MembersPage'),
  staticData: { menu: { group: 'top', label: ({ members: words }) => words.title, icon: 'members' } },
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
  staticData: { menu: { group: 'top', label: ({ leaderboard: words }) => words.title, icon: 'leaderboard' } },
})
const journal = createRoute({
  getParentRoute: () => realm,
  path: 'journal',
  validateSearch: search.journal,
  component: lazyRouteComponent(() => import('./pages/journal/journal.tsx'), 'JournalPage'),
  staticData: { menu: { group: 'work', label: ({ journal: words }) => words.title, icon: 'journal' } },
})
const awards = createRoute({
  getParentRoute: () => realm,
  path: 'awards',
  component: lazyRouteComponent(() => import('./pages/awards/awards.tsx'), 'AwardsPage'),
  staticData: {
    menu: { group: 'work', label: ({ awards: words }) => words.title, icon: 'awards', scope: 'points:write' },
  },
})
const reserved = createRoute({
  getParentRoute: () => realm,
  path: 'reserved',
  validateSearch: search.reserved,
  component: lazyRouteComponent(() => import('./pages/reserved/reserved.tsx'), 'ReservedPage'),
  staticData: { menu: { group: 'work', label: ({ reserved: words }) => words.title, icon: 'lock' } },
})
const imports = createRoute({
  getParentRoute: () => realm,
  path: 'import',
  component: lazyRouteComponent(() => import('./pages/import/import.tsx'), 'ImportPage'),
  staticData: {
    menu: { group: 'work', label: ({ imports: words }) => words.title, icon: 'import', scope: 'realm:admin' },
  },
})
const exports = createRoute({
  getParentRoute: () => realm,
  path: 'export',
  component: lazyRouteComponent(() => import('./pages/export/export.tsx'), 'ExportPage'),
  staticData: { menu: { group: 'work', label: ({ exports: words }) => words.title, icon: 'export' } },
})
const points = createRoute({
  getParentRoute: () => realm,
  path: 'points',
  component: lazyRouteComponent(() => import('./pages/points/points.tsx'), 'PointsPage'),
  staticData: { menu: { group: 'settings', label: ({ points: words }) => words.title, icon: 'points' } },
})
const lapsing = createRoute({
  getParentRoute: () => realm,
  path: 'points/$point/lapsing',
  validateSearch: search.lapsing,
  component: lazyRouteComponent(() => import('./pages/lapsing/lapsing.tsx'), 'LapsingPage'),
})
const keys = createRoute({
  getParentRoute: () => realm,
  path: 'keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'KeysPage'),
  staticData: {
    menu: { group: 'settings', label: ({ keys: words }) => words.title, icon: 'keys', scope: 'realm:admin' },
  },
})
const webhooks = createRoute({
  getParentRoute: () => realm,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
  staticData: {
    menu: {
      group: 'settings',
      label: ({ webhooks: words }) => words.title,
      icon: 'webhooks',
      scope: 'realm:admin',
    },
  },
})
const webhook = createRoute({
  getParentRoute: () => realm,
  path: 'webhooks/$webhook',
  validateSearch: search.webhook,
  component: lazyRouteComponent(() => import('./pages/webhooks/webhook.tsx'), 'WebhookPage'),
})
const people = createRoute({
  getParentRoute: () => realm,
  path: 'people',
  validateSearch: search.people,
  component: lazyRouteComponent(() => import('./pages/people/people.tsx'), 'PeoplePage'),
  staticData: {
    menu: {
      group: 'settings',
      label: ({ people: words }) => words.title,
      icon: 'people',
      scope: 'realm:admin',
    },
  },
})
const settings = createRoute({
  getParentRoute: () => realm,
  path: 'settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
  staticData: { menu: { group: 'settings', label: ({ shell }) => shell.nav.settings, icon: 'settings' } },
})
const audit = createRoute({
  getParentRoute: () => realm,
  path: 'audit',
  validateSearch: search.audit,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
  staticData: {
    menu: {
      group: 'settings',
      label: ({ audit: words }) => words.title,
      icon: 'audit',
      scope: 'realm:admin',
    },
  },
})
const operators = createRoute({
  getParentRoute: () => root,
  path: 'operators',
  component: lazyRouteComponent(() => import('./pages/operators/operators.tsx'), 'OperatorsPage'),
  staticData: {
    menu: { group: 'operator', label: ({ operators: words }) => words.title, icon: 'operators' },
  },
})
const health = createRoute({
  getParentRoute: () => root,
  path: 'health',
  component: lazyRouteComponent(() => import('./pages/health/health.tsx'), 'HealthPage'),
  staticData: { menu: { group: 'operator', label: ({ health: words }) => words.title, icon: 'health' } },
})
const installationAudit = createRoute({
  getParentRoute: () => root,
  path: 'audit',
  validateSearch: search.audit,
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'OperatorAuditPage'),
})

const workPages = [journal, awards, reserved, imports, exports] as const
const settingPages = [points, lapsing, keys, webhooks, webhook, people, settings, audit] as const
const operatorPages = [operators, health, installationAudit] as const

const tree = root.addChildren([
  realm.addChildren([overview, members, member, leaderboard, ...workPages, ...settingPages]),
  realms,
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
