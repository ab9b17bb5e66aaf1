import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { RealmLayout } from './realm.tsx'
import { Crash, NotFound, Root } from './root.tsx'
import * as search from './search.ts'

/** Every page, its address, and what its address says beside it. Each page is loaded when it is first gone to. */

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })
const realm = createRoute({ getParentRoute: () => root, path: 'r/$realm', component: RealmLayout })

const realms = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: search.realms,
  component: lazyRouteComponent(() => import('./pages/realms.tsx'), 'RealmsPage'),
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

const tree = root.addChildren([
  realms,
  realm.addChildren([overview, members, member, leaderboard, journal, awards, imports, exports]),
])

export const makeRouter = (path: string) =>
  createRouter({
    routeTree: tree,
    basepath: path,
    defaultPreload: 'intent',
    defaultErrorComponent: Crash,
    scrollRestoration: true,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
