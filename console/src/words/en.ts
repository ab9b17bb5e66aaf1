import { audit } from './en/audit.ts'
import { awards } from './en/awards.ts'
import { change } from './en/change.ts'
import { erase } from './en/erase.ts'
import { exports } from './en/exports.ts'
import { finder } from './en/finder.ts'
import { freeze } from './en/freeze.ts'
import { gains } from './en/gains.ts'
import { health } from './en/health.ts'
import { imports } from './en/imports.ts'
import { journal } from './en/journal.ts'
import { keys } from './en/keys.ts'
import { lapse } from './en/lapse.ts'
import { leaderboard } from './en/leaderboard.ts'
import { member } from './en/member.ts'
import { members } from './en/members.ts'
import { merge } from './en/merge.ts'
import { operators } from './en/operators.ts'
import { overview } from './en/overview.ts'
import { people } from './en/people.ts'
import { points } from './en/points.ts'
import { realms } from './en/realms.ts'
import { refusals } from './en/refusals.ts'
import { reserved } from './en/reserved.ts'
import { selection } from './en/selection.ts'
import { session } from './en/session.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { states } from './en/states.ts'
import { walletLink } from './en/walletLink.ts'
import { webhooks } from './en/webhooks.ts'

/** Every word of the console. A second language has the same keys: its type is this one's. */
export const en = {
  shell,
  session,
  states,
  refusals,
  overview,
  members,
  selection,
  member,
  merge,
  freeze,
  gains,
  erase,
  walletLink,
  change,
  leaderboard,
  journal,
  reserved,
  awards,
  imports,
  exports,
  audit,
  health,
  keys,
  operators,
  people,
  points,
  lapse,
  realms,
  settings,
  webhooks,
  finder,
}

export type Words = typeof en
