import { audit } from './de/audit.ts'
import { awards } from './de/awards.ts'
import { change } from './de/change.ts'
import { erase } from './de/erase.ts'
import { exports } from './de/exports.ts'
import { finder } from './de/finder.ts'
import { freeze } from './de/freeze.ts'
import { gains } from './de/gains.ts'
import { health } from './de/health.ts'
import { imports } from './de/imports.ts'
import { journal } from './de/journal.ts'
import { keys } from './de/keys.ts'
import { lapse } from './de/lapse.ts'
import { leaderboard } from './de/leaderboard.ts'
import { member } from './de/member.ts'
import { members } from './de/members.ts'
import { merge } from './de/merge.ts'
import { operators } from './de/operators.ts'
import { overview } from './de/overview.ts'
import { people } from './de/people.ts'
import { points } from './de/points.ts'
import { realms } from './de/realms.ts'
import { refusals } from './de/refusals.ts'
import { reserved } from './de/reserved.ts'
import { selection } from './de/selection.ts'
import { session } from './de/session.ts'
import { settings } from './de/settings.ts'
import { shell } from './de/shell.ts'
import { states } from './de/states.ts'
import { walletLink } from './de/walletLink.ts'
import { webhooks } from './de/webhooks.ts'
import type { Words } from './en.ts'

export const de: Words = {
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
