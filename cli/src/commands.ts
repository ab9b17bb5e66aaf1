import type { Command, Group } from './command.ts'
import { audit } from './commands/audit.ts'
import { exportCommand } from './commands/export.ts'
import { entry, history, leaderboard } from './commands/history.ts'
import { importCommand } from './commands/import.ts'
import { invitations, invitationsCreate, invitationsDelete } from './commands/invitations.ts'
import {
  keys,
  keysIssue,
  keysOrphaned,
  keysRevoke,
  keysRotate,
  keysSet,
  tokens,
  tokensIssue,
  tokensRevoke,
} from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { login, logout, whoami } from './commands/login.ts'
import {
  members,
  membersErase,
  membersFind,
  membersFreeze,
  membersRemove,
  membersSet,
  membersShow,
  membersUnfreeze,
} from './commands/members.ts'
import { completion, help } from './commands/more.ts'
import { move } from './commands/move.ts'
import {
  health,
  operators,
  operatorsErase,
  operatorsInvitations,
  operatorsInvite,
  operatorsLink,
  operatorsWithdraw,
} from './commands/operators.ts'
import { people, peopleLink, peopleRemove, peopleSet } from './commands/people.ts'
import { kinds, kindsAdd, kindsSet, pointsAdd, pointsTake, transfer } from './commands/points.ts'
import { realms, realmsMake, realmsSet, realmsShow, realmsStatistics } from './commands/realms.ts'
import { db, dev, serve } from './commands/server.ts'
import { snapshotCheck, snapshotShow, snapshots, snapshotTake, snapshotTree } from './commands/snapshots.ts'
import { undo, undoMany } from './commands/undo.ts'
import { verify } from './commands/verify.ts'
import { walletsCheck, walletsLink, walletsShow, walletsUnlink } from './commands/wallets.ts'

/** Every command there is. Help, completion and docs/cli.md are made from this. */
export const groups: readonly Group[] = [
  { title: 'Getting in', commands: [login, logout, whoami] },
  { title: 'Points', commands: [pointsAdd, pointsTake, transfer, undo, undoMany, kinds, kindsAdd, kindsSet] },
  { title: 'Looking', commands: [history, entry, leaderboard, listen] },
  {
    title: 'Members and wallets',
    commands: [
      members,
      membersFind,
      membersShow,
      membersSet,
      membersFreeze,
      membersUnfreeze,
      membersRemove,
      membersErase,
      walletsShow,
      walletsCheck,
      walletsLink,
      walletsUnlink,
    ],
  },
  { title: 'In and out', commands: [importCommand, exportCommand, verify, move] },
  {
    title: 'Snapshots',
    commands: [snapshots, snapshotTake, snapshotShow, snapshotTree, snapshotCheck],
  },
  {
    title: 'Realms and keys',
    commands: [
      realms,
      realmsShow,
      realmsMake,
      realmsSet,
      realmsStatistics,
      keys,
      keysIssue,
      keysRotate,
      keysSet,
      keysRevoke,
      keysOrphaned,
      audit,
    ],
  },
  {
    title: 'People',
    commands: [
      people,
      peopleLink,
      peopleSet,
      peopleRemove,
      invitations,
      invitationsCreate,
      invitationsDelete,
    ],
  },
  {
    title: 'Operators',
    commands: [
      operators,
      operatorsInvite,
      operatorsInvitations,
      operatorsWithdraw,
      operatorsLink,
      operatorsErase,
      tokens,
      tokensIssue,
      tokensRevoke,
      health,
    ],
  },
  { title: 'The server itself', commands: [dev, serve, db] },
  { title: 'More', commands: [completion, help] },
]

export const commands: readonly Command[] = groups.flatMap(({ commands: some }) => some)
