import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Scope } from '../realm.tsx'
import type { IconName } from '../ui/icons.tsx'
import type { Words } from '../words/en.ts'

/** The groups of the menu: three of a realm, the first without a heading, and one for operators. */
export const realmGroups = ['top', 'work', 'settings'] as const
export type Group = (typeof realmGroups)[number] | 'operator'

/** A page's entry in the menu and the finder. A page declares it in router.tsx. */
export type MenuEntry = {
  readonly group: Group
  readonly label: (words: Words) => string
  readonly icon: IconName
  /** Shown only to roles with this permission. */
  readonly scope?: Scope
}
export type Place = MenuEntry & { readonly to: string }

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly menu?: MenuEntry
  }
}

/** The pages with an entry, in the order of the router. */
export function usePlaces(): readonly Place[] {
  const { routesById } = useRouter()
  return useMemo(
    () =>
      Object.values(routesById).flatMap(({ to, options }) => {
        const menu = options.staticData?.menu
        return menu ? [{ ...menu, to }] : []
      }),
    [routesById],
  )
}
