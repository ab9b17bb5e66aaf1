import type { Command, Group } from './command.ts'
import { auditList } from './commands/audit.ts'
import { awardsCancel, awardsCreate, awardsGrant, awardsList, awardsShow } from './commands/awards.ts'
import { changesApply } from './commands/changes.ts'
import { checkpointShow } from './commands/checkpoint.ts'
import { deliveriesList } from './commands/deliveries.ts'
import { exportCommand } from './commands/export.ts'
import { entriesList, entriesShow, leaderboardShow, rankShow } from './commands/history.ts'
import { holdsCapture, holdsCreate, holdsList, holdsRelease, holdsShow } from './commands/holds.ts'
import { identitiesLink, identitiesList, identitiesUnlink } from './commands/identities.ts'
import { importCommand } from './commands/import.ts'
import {
  invitationsCreate,
  invitationsDelete,
  invitationsList,
  invitationsShow,
} from './commands/invitations.ts'
import { journalFollow } from './commands/journal.ts'
import { keysCreate, keysList, keysRevoke, keysRotate, keysShow, keysUpdate } from './commands/keys.ts'
import { lapseRulesDelete, lapseRulesUpdate, lapsingList } from './commands/lapse.ts'
import { listen } from './commands/listen.ts'
import { login, logout, whoami } from './commands/login.ts'
import { mcp } from './commands/mcp.ts'
import {
  membersCreate,
  membersDelete,
  membersErase,
  membersList,
  membersShow,
  membersUpdate,
} from './commands/members.ts'
import { mergesCreate, mergesList, mergesUndo } from './commands/merges.ts'
import { completion, help } from './commands/more.ts'
import { move } from './commands/move.ts'
import {
  healthShow,
  operatorInvitationsCreate,
  operatorInvitationsDelete,
  operatorInvitationsList,
  operatorInvitationsShow,
  operatorsErase,
  operatorsLink,
  operatorsList,
  operatorsShow,
} from './commands/operators.ts'
import {
  operatorTokensCreate,
  operatorTokensList,
  operatorTokensRevoke,
  operatorTokensShow,
} from './commands/operatorTokens.ts'
import { peopleDelete, peopleLink, peopleList, peopleShow, peopleUpdate } from './commands/people.ts'
import { pointsAward, pointsDeduct, pointsTransfer } from './commands/points.ts'
import { pointTypesCreate, pointTypesList, pointTypesShow, pointTypesUpdate } from './commands/pointTypes.ts'
import { realmsCreate, realmsList, realmsShow, realmsUpdate, statisticsShow } from './commands/realms.ts'
import { db, dev, serve } from './commands/server.ts'
import {
  snapshotsCreate,
  snapshotsDelete,
  snapshotsExport,
  snapshotsList,
  snapshotsShow,
  snapshotsVerify,
} from './commands/snapshots.ts'
import { entriesReverse, reversalsCreate } from './commands/undo.ts'
import { verify } from './commands/verify.ts'
import { walletsCheck, walletsLink, walletsList, walletsUnlink } from './commands/wallets.ts'
import {
  webhooksCreate,
  webhooksDelete,
  webhooksList,
  webhooksReplay,
  webhooksRotate,
  webhooksShow,
  webhooksSkip,
  webhooksTest,
  webhooksUpdate,
} from './commands/webhooks.ts'

const lapse = [lapseRulesUpdate, lapseRulesDelete]
const points = [pointsAward, pointsDeduct, pointsTransfer, changesApply]
const holds = [holdsCreate, holdsList, holdsShow, holdsCapture, holdsRelease]
const awards = [awardsCreate, awardsList, awardsShow, awardsGrant, awardsCancel]
const entries = [entriesList, entriesShow, entriesReverse, reversalsCreate]
const pointTypes = [pointTypesCreate, pointTypesList, pointTypesShow, pointTypesUpdate]
const members = [membersCreate, membersList, membersShow, membersUpdate, membersDelete, membersErase]
const identities = [identitiesList, identitiesLink, identitiesUnlink]
const merges = [mergesList, mergesCreate, mergesUndo]
const wallets = [walletsList, walletsLink, walletsUnlink, walletsCheck]
const snapshots = [
  snapshotsCreate,
  snapshotsList,
  snapshotsShow,
  snapshotsDelete,
  snapshotsExport,
  snapshotsVerify,
]
const webhooks = [
  webhooksCreate,
  webhooksList,
  webhooksShow,
  webhooksUpdate,
  webhooksDelete,
  webhooksTest,
  webhooksReplay,
  webhooksSkip,
  webhooksRotate,
]
const realms = [realmsCreate, realmsList, realmsShow, realmsUpdate]
const keys = [keysCreate, keysList, keysShow, keysUpdate, keysRotate, keysRevoke]
const people = [peopleList, peopleShow, peopleUpdate, peopleDelete, peopleLink]
const invitations = [invitationsCreate, invitationsList, invitationsShow, invitationsDelete]
const operators = [operatorsList, operatorsShow, operatorsLink, operatorsErase]
const operatorInvitations = [
  operatorInvitationsCreate,
  operatorInvitationsList,
  operatorInvitationsShow,
  operatorInvitationsDelete,
]
const operatorTokens = [operatorTokensCreate, operatorTokensList, operatorTokensShow, operatorTokensRevoke]

/** Every command there is. Help, completion and docs/cli.md are made from this. */
export const groups: readonly Group[] = [
  { title: 'Start', commands: [dev, serve, db, login, logout, whoami, help, completion] },
  {
    title: 'Points',
    commands: [...points, ...lapse, ...holds, lapsingList, ...awards, ...entries, ...pointTypes],
  },
  { title: 'Members', commands: [...members, ...identities, ...merges, ...wallets] },
  { title: 'Rankings', commands: [leaderboardShow, rankShow, statisticsShow] },
  {
    title: 'Data',
    commands: [
      importCommand,
      exportCommand,
      verify,
      checkpointShow,
      move,
      journalFollow,
      listen,
      mcp,
      ...snapshots,
    ],
  },
  { title: 'Realm', commands: [...realms, auditList, ...keys, deliveriesList, ...webhooks] },
  { title: 'Team', commands: [...people, ...invitations] },
  { title: 'Operators', commands: [...operators, ...operatorInvitations, ...operatorTokens, healthShow] },
]

export const commands: readonly Command[] = groups.flatMap(({ commands: some }) => some)
