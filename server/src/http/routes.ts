import { consolePages } from './console/pages.ts'
import { sessionRoutes } from './console/session.ts'
import { signInPages, signInRoutes } from './console/signIn.ts'
import { auditRoutes } from './operator/audit.ts'
import { listRealmChanges } from './operator/changes.ts'
import { health } from './operator/health.ts'
import { keyRoutes } from './operator/keys.ts'
import { peopleRoutes } from './operator/people.ts'
import { realmRoutes } from './operator/realms.ts'
import { tokenRoutes } from './operator/tokens.ts'
import { boardRoutes } from './public/board.ts'
import { checkpointRoutes } from './public/checkpoint.ts'
import { healthRoutes } from './public/health.ts'
import { linkPageRoutes } from './public/linkPage.ts'
import { docsRoutes } from './reference/docs.ts'
import { problemRoutes } from './reference/problemPages.ts'
import type { Route } from './route/route.ts'
import { adjust } from './v4/adjust.ts'
import { realmAudit } from './v4/audit.ts'
import { awards } from './v4/awards.ts'
import { batch } from './v4/batch.ts'
import { changes } from './v4/changes.ts'
import { collectionRoutes } from './v4/collectionRoutes.ts'
import { exportRoutes } from './v4/export.ts'
import { getCheckpoint } from './v4/getCheckpoint.ts'
import { getEntry } from './v4/getEntry.ts'
import { getHistory } from './v4/getHistory.ts'
import { getJournal } from './v4/getJournal.ts'
import { getMember } from './v4/getMember.ts'
import { getProfile } from './v4/getProfile.ts'
import { getWeb3Member } from './v4/getWeb3Member.ts'
import { holdRoutes } from './v4/holds.ts'
import { identityRoutes } from './v4/identityRoutes.ts'
import { importRows } from './v4/import.ts'
import { includes } from './v4/includes.ts'
import { realmKeyRoutes } from './v4/keys.ts'
import { lapseRoutes } from './v4/lapse.ts'
import { leaderboard } from './v4/leaderboard.ts'
import { listMembers } from './v4/listMembers.ts'
import { mcp } from './v4/mcp.ts'
import { mergeRoutes } from './v4/mergeRoutes.ts'
import { awardRoutes } from './v4/pendingAwards.ts'
import { realmPeopleRoutes } from './v4/people.ts'
import { pointRoutes } from './v4/points.ts'
import { realmMemberRoutes } from './v4/putMembers.ts'
import { rank } from './v4/rank.ts'
import { ownRealmRoutes } from './v4/realm.ts'
import { leavingRoutes } from './v4/removeMember.ts'
import { reversal } from './v4/reversal.ts'
import { reversals } from './v4/reversals.ts'
import { snapshotRoutes } from './v4/snapshots.ts'
import { statistics } from './v4/statistics.ts'
import { streamJournal } from './v4/streamJournal.ts'
import { transfer } from './v4/transfer.ts'
import { realmWalletRoutes } from './v4/wallets.ts'
import { webhookRoutes } from './v4/webhooks.ts'

/** The API as given in the contract, in its order. */
const v4 = [getMember, getWeb3Member, includes, adjust, transfer]

const members = [
  listMembers,
  ...realmMemberRoutes,
  getProfile,
  ...leavingRoutes,
  ...identityRoutes,
  ...mergeRoutes,
  ...realmWalletRoutes,
]

/** History and journal. */
const history = [getHistory, getEntry, getJournal, streamJournal, getCheckpoint]

/** All API routes. */
export const documented: readonly Route[] = [
  ...v4,
  ...ownRealmRoutes,
  ...pointRoutes,
  ...lapseRoutes,
  ...members,
  ...history,
  batch,
  awards,
  changes,
  reversal,
  reversals,
  ...holdRoutes,
  ...awardRoutes,
  ...webhookRoutes,
  leaderboard,
  rank,
  statistics,
  ...collectionRoutes,
  ...snapshotRoutes,
  ...realmKeyRoutes,
  ...realmPeopleRoutes,
  realmAudit,
  importRows,
  ...exportRoutes,
  ...realmRoutes,
  ...keyRoutes,
  ...tokenRoutes,
  ...peopleRoutes,
  ...auditRoutes,
  listRealmChanges,
  health,
  ...boardRoutes,
  ...checkpointRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...linkPageRoutes,
  ...healthRoutes,
]

/**
 * With what is not in the OpenAPI document: the reference itself, pages, and the MCP route, whose messages
 * are JSON-RPC and are described by the protocol and by its own list of tools.
 */
export const routesAt = (basePath: string): readonly Route[] => [
  ...documented,
  mcp,
  ...docsRoutes(documented, basePath),
  ...problemRoutes(basePath),
  ...signInPages,
  ...consolePages,
]

/** Without the console and sign-in. */
export const withoutConsole = (routes: readonly Route[]): readonly Route[] =>
  routes.filter(({ segments: [first] }) => first !== 'console')
