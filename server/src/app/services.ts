import type { Logger } from 'pino'
import { Audit } from '../audit/index.ts'
import type { Directory } from '../cells/index.ts'
import type { Config } from '../config/index.ts'
import { release } from '../config/release.ts'
import type { Database } from '../db/database.ts'
import { ChangeFeed } from '../events/changes/index.ts'
import { Checkpoints } from '../events/checkpoints/index.ts'
import { Streams } from '../events/streams/index.ts'
import {
  forgetAnswers,
  lookEverySeconds,
  takeLeases,
  upkeepEverySeconds,
  Webhooks,
} from '../events/webhooks/index.ts'
import { Exports } from '../files/exports/index.ts'
import { Imports } from '../files/imports/index.ts'
import { Assistants } from '../http/mcp/assistants.ts'
import { problem } from '../http/problem.ts'
import type { Services } from '../http/route/route.ts'
import { journalEntryBody } from '../http/v4/journalEntry.ts'
import { ExportSlots } from '../http/wire/exportSlots.ts'
import { Site } from '../http/wire/site.ts'
import { Pages } from '../http/wire/staticFiles.ts'
import { Keys } from '../keys/index.ts'
import { PublicBoards, Standings } from '../leaderboards/index.ts'
import {
  Activity,
  expiryEverySeconds,
  History,
  Holds,
  Ledger,
  lapsesEverySeconds,
  PendingAwards,
  Undoing,
} from '../ledger/index.ts'
import { Identities } from '../members/identities/index.ts'
import { Members } from '../members/index.ts'
import { Merges } from '../merges/index.ts'
import type { Watch } from '../observability/index.ts'
import {
  Invitations,
  Operators,
  People,
  Provider,
  ReceivedInvitations,
  Seal,
  Sessions,
  SignIn,
} from '../people/index.ts'
import { Configs, LapseRules, Points, Presence, Realms } from '../realms/index.ts'
import { MemberRemoval } from '../removal/index.ts'
import { Requests } from '../requests/index.ts'
import { Wallets } from '../wallets/index.ts'
import { Chains } from '../web3/chains/index.ts'
import { Holdings, holdingsEverySeconds } from '../web3/holdings/index.ts'
import { PageLinks, Proofs } from '../web3/proofs/index.ts'
import { Snapshots } from '../web3/snapshots/index.ts'

/** The services of handlers, except for health. */
export type Nouns = Omit<Services, 'ready' | 'health'>

/** What every service is opened with. */
export type Ground = {
  readonly config: Config
  readonly db: Database
  readonly directory: Directory
  readonly log: Logger
  readonly watch: Watch
  /** Whether realms can be in other cells; as the directory says by default. */
  readonly hasOtherCells?: () => boolean
}

/** The services of handlers, all on the same database. */
export function openNouns(ground: Ground): Nouns {
  const { db, directory, config, log } = ground
  const configs = new Configs()
  db.onFailover(() => configs.clear())
  const members = new Members(db, configs)
  const people = new People(directory)
  const elsewhere = directory.isOwn ? undefined : people
  const history = new History(db, members, elsewhere && ((...asked) => elsewhere.byNumbers(...asked)))
  const checkpoints = new Checkpoints({ db, keys: config.checkpointKeys })
  const { ledger, standings, streams, webhooks } = openLedger(ground, { configs, history, checkpoints })
  const onGone = forgetting({ configs, standings, ledger })
  const hasOthers = ground.hasOtherCells ?? (() => !directory.isAlone)
  const presence = new Presence({ db, hasOthers, onGone })
  const realms = new Realms(db, { directory, presence })
  const wallets = new Wallets({ db, configs, members })
  const chains = new Chains(config.chains, config.chainTimeoutMs)
  const { publicUrl } = config
  const proofs = new Proofs({ db, configs, members, chains, publicUrl })
  return {
    ledger,
    history,
    streams,
    webhooks,
    holds: new Holds(db),
    awards: new PendingAwards(db),
    undoing: new Undoing(db, ledger),
    checkpoints,
    members,
    identities: new Identities(db),
    merges: openMerges(ground, { configs, standings }),
    wallets,
    proofs,
    holdings: openHoldings(ground, chains),
    pageLinks: new PageLinks({ db, configs, realms, members, proofs, publicUrl }),
    removal: new MemberRemoval(db, { takeLeases, forgetAnswers }),
    imports: new Imports({ db, configs, ledger }),
    exports: new Exports(db),
    exportSlots: new ExportSlots(),
    snapshots: new Snapshots(db, configs, config.operatorFeed),
    realms,
    presence,
    points: new Points(db),
    lapseRules: new LapseRules(db),
    activity: new Activity(db),
    keys: new Keys(db, config.keySecrets, directory),
    operators: new Operators(directory.db, config.keySecrets),
    audit: new Audit(db, elsewhere && { db: directory.db, names: (asked) => elsewhere.names(asked) }),
    changeFeed: new ChangeFeed(db, config.operatorFeed),
    requests: new Requests(db, (error) =>
      log.error({ err: error }, 'the response to a request with an Idempotency-Key could not be stored'),
    ),
    standings,
    publicBoards: new PublicBoards({ realms, standings, hasOthers }),
    people,
    assistants: openAssistants(ground),
    ...openPeople(ground),
  }
}

/** Leaderboards follow merges. */
const openMerges = (
  { db, config }: Ground,
  { configs, standings }: Pick<Services, 'standings'> & { readonly configs: Configs },
): Merges =>
  new Merges({
    db,
    configs,
    feed: config.operatorFeed,
    onMerged: (realm) => standings.written(realm),
    onUndo: (tx, realm) => standings.startOver(tx, realm),
  })

type InMemory = Pick<Services, 'standings' | 'ledger'> & { readonly configs: Configs }

/** Drops what is in memory of a realm that is not in this cell any more. */
function forgetting({ configs, standings, ledger }: InMemory): (realm: number) => void {
  return (realm) => {
    configs.drop(realm)
    standings.drop(realm)
    ledger.forget(realm)
  }
}

type Followed = {
  readonly configs: Configs
  readonly history: History
  readonly checkpoints: Checkpoints
}

/** The ledger, and what follows its entries. */
function openLedger({ db, config, log, watch }: Ground, { configs, history, checkpoints }: Followed) {
  const standings = new Standings({
    db,
    configs,
    everyMs: config.standingsEveryMs,
    onFault: (error) => log.warn({ err: error }, 'leaderboards could not be updated'),
    onFolded: (delayMs) => watch.metrics.leaderboardDelays.observe(delayMs / 1000),
  })
  const streams = new Streams({
    db,
    history,
    textOf: (entry) => JSON.stringify(journalEntryBody(entry)),
    perClient: config.streamsPerKey,
    onFault: (error) => log.warn({ err: error }, 'new entries could not be looked for'),
  })
  const webhooks = new Webhooks({
    db,
    history,
    checkpoints,
    secrets: config.keySecrets,
    allow: config.webhookAllow,
    agentName: `Exchequer/${release}`,
    changes: () => ledger.taken,
    onLooked: watch.tasks.add('webhooks', lookEverySeconds),
    onUpkeep: watch.tasks.add('upkeep', upkeepEverySeconds),
    onFirstAttempt: (delayMs) => watch.metrics.deliveryDelays.observe(delayMs / 1000),
    onFault: (error, at) => log.warn({ err: error, ...at }, 'webhooks could not be delivered'),
  })
  const ledger: Ledger = new Ledger({
    db,
    configs,
    render: problem,
    laneCount: config.laneCount,
    deadlineMs: config.writeDeadlineMs,
    feed: config.operatorFeed,
    onFault: (error, requestIds) => log.error({ err: error, requestIds }, 'a batch failed'),
    watch: watch.batches,
    onExpired: watch.tasks.add('expiry', expiryEverySeconds),
    onLapsed: watch.tasks.add('lapse', lapsesEverySeconds),
    onWritten: (realm) => {
      standings.written(realm)
      streams.written(realm)
      webhooks.written(realm)
    },
    onGone: (realm) => forgetting({ configs, standings, ledger })(realm),
  })
  return { ledger, standings, streams, webhooks }
}

function openHoldings({ db, config, log, watch }: Ground, chains: Chains): Holdings {
  return new Holdings({
    db,
    onLooked: config.chains.length === 0 ? undefined : watch.tasks.add('holdings', holdingsEverySeconds),
    chains,
    everySeconds: config.holdingsEverySeconds,
    spacingSeconds: config.holdingsSpacingSeconds,
    onFault: (error, due) => log.warn({ err: error, ...due }, 'holdings could not be read'),
  })
}

function openAssistants({ config, log }: Ground): Assistants {
  const { corsOrigins, console: site, keySecrets: secrets, mcpWrites: writes } = config
  const origins = site.publicOrigin === undefined ? corsOrigins : [...corsOrigins, site.publicOrigin]
  return new Assistants({ writes, secrets, origins, log })
}

/** People, and the services for sign-in. */
function openPeople({ directory, config, log }: Ground) {
  const { db } = directory
  const { keySecrets: secrets, console: settings } = config
  const site = new Site(settings)
  const sessions = new Sessions({ directory, secrets, times: settings.sessions })
  const onFault = (error: unknown) => log.warn({ err: error }, 'a sign-in at the provider failed')
  return {
    invitations: new Invitations(db, secrets),
    received: new ReceivedInvitations(db),
    sessions,
    signIn: new SignIn({ db, secrets, sessions }),
    provider: settings.provider && new Provider({ ...settings.provider, onFault }),
    seal: new Seal(secrets, 'sign-in'),
    site,
    pages: new Pages(settings.isOn ? settings.folder : undefined, site.basePath),
  }
}
