import type { Tool } from '../tool.ts'
import { applyPlan, planChange } from './changes.ts'
import { getEntry, listEntries } from './entries.ts'
import { findMembers, getBalance, getMember } from './members.ts'
import { getCheckpoint, verifyJournal } from './proof.ts'
import { getLeaderboard, getStatistics } from './rankings.ts'
import { getRealm, listPointTypes } from './realm.ts'
import { listAwards, listHolds } from './reserved.ts'

export const tools: readonly Tool[] = [
  getRealm,
  listPointTypes,
  findMembers,
  getMember,
  getBalance,
  listEntries,
  getEntry,
  getLeaderboard,
  getStatistics,
  listHolds,
  listAwards,
  verifyJournal,
  getCheckpoint,
  planChange,
  applyPlan,
]
