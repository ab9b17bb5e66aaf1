import type { Scope } from '../realm.tsx'
import type { IconName } from '../ui/icons.tsx'
import type { Words } from '../words/en.ts'

export type Place = {
  /** Its name in the dictionary, and its icon's. */
  readonly name: keyof Words['shell']['nav'] & IconName
  readonly to: string
  /** Shown only to roles with this permission. */
  readonly scope?: Scope
}
export type Group = { readonly name?: keyof Words['shell']['nav']; readonly places: readonly Place[] }

/** The pages of a realm, in menu order. */
export const realmPlaces: readonly Group[] = [
  {
    places: [
      { name: 'overview', to: '/r/$realm' },
      { name: 'members', to: '/r/$realm/members' },
      { name: 'leaderboard', to: '/r/$realm/leaderboard' },
    ],
  },
  {
    name: 'work',
    places: [
      { name: 'journal', to: '/r/$realm/journal' },
      { name: 'awards', to: '/r/$realm/awards', scope: 'points:write' },
      { name: 'import', to: '/r/$realm/import', scope: 'realm:admin' },
      { name: 'export', to: '/r/$realm/export' },
    ],
  },
  {
    name: 'settings',
    places: [
      { name: 'points', to: '/r/$realm/points' },
      { name: 'keys', to: '/r/$realm/keys', scope: 'realm:admin' },
      { name: 'people', to: '/r/$realm/people', scope: 'realm:admin' },
      { name: 'settings', to: '/r/$realm/settings' },
      { name: 'audit', to: '/r/$realm/audit', scope: 'realm:admin' },
    ],
  },
]

/** For operators. */
export const operatorPlaces: Group = {
  name: 'operator',
  places: [
    { name: 'realms', to: '/' },
    { name: 'operators', to: '/operators' },
    { name: 'health', to: '/health' },
  ],
}
