import type { Audit } from '../../audit/index.ts'
import type { ChangeFeed } from '../../events/changes/index.ts'
import type { Checkpoints } from '../../events/checkpoints/index.ts'
import type { Streams } from '../../events/streams/index.ts'
import type { Webhooks } from '../../events/webhooks/index.ts'
import type { Exports } from '../../files/exports/index.ts'
import type { Imports } from '../../files/imports/index.ts'
import type { Keys } from '../../keys/index.ts'
import type { PublicBoards, Standings } from '../../leaderboards/index.ts'
import type { Activity, History, Holds, Ledger, PendingAwards, Undoing } from '../../ledger/index.ts'
import type { Identities } from '../../members/identities/index.ts'
import type { Members } from '../../members/index.ts'
import type { Merges } from '../../merges/index.ts'
import type {
  Invitations,
  Operators,
  People,
  Provider,
  ReceivedInvitations,
  Seal,
  Sessions,
  SignIn,
} from '../../people/index.ts'
import type { LapseRules, Points, Presence, Realms } from '../../realms/index.ts'
import type { MemberRemoval } from '../../removal/index.ts'
import type { Requests } from '../../requests/index.ts'
import type { Wallets } from '../../wallets/index.ts'
import type { Holdings } from '../../web3/holdings/index.ts'
import type { PageLinks, Proofs } from '../../web3/proofs/index.ts'
import type { Snapshots } from '../../web3/snapshots/index.ts'
import type { Assistants } from '../mcp/assistants.ts'
import type { ExportSlots } from '../wire/exportSlots.ts'
import type { Site } from '../wire/site.ts'
import type { Pages } from '../wire/staticFiles.ts'

/** The services that handlers use. */
export type Services = {
  readonly ledger: Ledger
  readonly history: History
  readonly holds: Holds
  readonly awards: PendingAwards
  readonly undoing: Undoing
  readonly checkpoints: Checkpoints
  readonly members: Members
  readonly identities: Identities
  readonly merges: Merges
  readonly wallets: Wallets
  readonly proofs: Proofs
  readonly pageLinks: PageLinks
  readonly holdings: Holdings
  readonly removal: MemberRemoval
  readonly realms: Realms
  readonly presence: Presence
  readonly points: Points
  readonly lapseRules: LapseRules
  readonly activity: Activity
  readonly keys: Keys
  readonly operators: Operators
  readonly audit: Audit
  readonly changeFeed: ChangeFeed
  readonly requests: Requests
  readonly imports: Imports
  readonly exports: Exports
  readonly streams: Streams
  readonly exportSlots: ExportSlots
  readonly snapshots: Snapshots
  readonly standings: Standings
  readonly webhooks: Webhooks
  readonly publicBoards: PublicBoards
  readonly people: People
  readonly invitations: Invitations
  readonly received: ReceivedInvitations
  readonly sessions: Sessions
  readonly signIn: SignIn
  /** Undefined where none is configured. */
  readonly provider: Provider | undefined
  /** Encrypts the cookie that a browser keeps while a person is at the provider. */
  readonly seal: Seal
  readonly site: Site
  readonly assistants: Assistants
  readonly pages: Pages
  /** The installation's health as this process sees it, for operators. */
  readonly health: () => Promise<object>
  readonly ready: () => Promise<{ readonly ready: boolean; readonly why?: string }>
}
