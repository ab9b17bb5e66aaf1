import { demo } from './stage.ts'

const below = (path: string): string => `/r/${demo}${path}`

/** Every page, by its path below the console's, for axe and screenshots. Pages not listed are not checked. */
export const pages: readonly { readonly name: string; readonly path: string }[] = [
  { name: 'overview', path: below('') },
  { name: 'overview-24h', path: below('?span=24h') },
  { name: 'members', path: below('/members') },
  { name: 'member', path: below('/members/1190194345295482952') },
  { name: 'award', path: below('/members/1190194345295482952?act=award') },
  { name: 'leaderboard', path: below('/leaderboard') },
  { name: 'leaderboard-week', path: below('/leaderboard?period=week') },
  { name: 'journal', path: below('/journal') },
  { name: 'entry', path: below('/journal?entry=100') },
  { name: 'awards', path: below('/awards') },
  { name: 'holds', path: below('/reserved') },
  { name: 'pending', path: below('/reserved?of=awards') },
  { name: 'import', path: below('/import') },
  { name: 'export', path: below('/export') },
  { name: 'points', path: below('/points') },
  { name: 'keys', path: below('/keys') },
  { name: 'webhooks', path: below('/webhooks') },
  { name: 'people', path: below('/people') },
  { name: 'settings', path: below('/settings') },
  { name: 'audit', path: below('/audit') },
  { name: 'realms', path: '/?all=true' },
  { name: 'operators', path: '/operators' },
  { name: 'health', path: '/health' },
  { name: 'audit-of-all', path: '/audit' },
]
