import { docsRoutes } from './docs.ts'
import { healthRoutes } from './health.ts'
import { keyRoutes } from './operator/keys.ts'
import { memberRoutes } from './operator/members.ts'
import { realmRoutes } from './operator/realms.ts'
import type { Route } from './route.ts'
import { adjust } from './v4/adjust.ts'
import { getMember } from './v4/getMember.ts'
import { getWeb3Member } from './v4/getWeb3Member.ts'
import { includes } from './v4/includes.ts'
import { transfer } from './v4/transfer.ts'

/** The interface as given, in its order. */
const v4 = [getMember, getWeb3Member, includes, adjust, transfer]

/** Every route there is. */
export const documented: readonly Route[] = [
  ...v4,
  ...realmRoutes,
  ...memberRoutes,
  ...keyRoutes,
  ...healthRoutes,
]

export const routes: readonly Route[] = [...documented, ...docsRoutes(documented)]
