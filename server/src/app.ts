import { randomBytes } from 'node:crypto'
import { type Logger, pino } from 'pino'
import type { Config } from './config.ts'
import { openDatabase } from './db/database.ts'
import { makeAddressOf } from './http/address.ts'
import { createDoor } from './http/door.ts'
import { problem } from './http/problem.ts'
import type { Services } from './http/route.ts'
import { routes } from './http/routes.ts'
import { type Listening, listen } from './http/server.ts'
import { KeyCheck, Keys } from './keys/keys.ts'
import { Ledger } from './ledger/ledger.ts'
import { Limits } from './limits/limits.ts'
import { Members } from './members/members.ts'
import { Probe } from './probe.ts'
import { Configs, Realms } from './realms/realms.ts'
import { Wallets } from './wallets/wallets.ts'

export type App = { readonly url: string; readonly log: Logger; close(): Promise<void> }

/** Unique across processes and restarts, and short. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}

/** All the wiring there is. */
export async function startApp(config: Config): Promise<App> {
  const log = pino({ level: config.logLevel })
  const db = openDatabase(config.databaseUrl, { strict: config.durability === 'strict' })
  const configs = new Configs()
  const ledger = new Ledger({
    db,
    configs,
    render: problem,
    laneCount: config.laneCount,
    deadlineMs: config.writeDeadlineMs,
    onFault: (error) => log.error({ err: error }, 'a batch failed'),
  })
  const members = new Members(db, configs)
  const probe = new Probe(db, config.durability)
  const limits = new Limits({ db, realm: config.realmRate, key: config.keyRate })
  let draining = false
  const services: Services = {
    ledger,
    members,
    wallets: new Wallets({ db, configs, members }),
    realms: new Realms(db),
    keys: new Keys(db, config.keySecrets),
    ready: async () => (draining ? { ready: false, why: 'This process is stopping.' } : probe.check()),
  }
  const door = createDoor({
    routes,
    services,
    keyCheck: new KeyCheck(db, config.keySecrets),
    operatorToken: config.operatorToken,
    limits,
    addressOf: makeAddressOf(config.trustedProxies),
    makeRequestId: requestIds(),
    draining: () => draining,
    log,
  })
  const listening: Listening = await listen(door, config)
  log.info({ url: listening.url }, 'listening')
  return {
    url: listening.url,
    log,
    async close() {
      draining = true
      await listening.close()
      await ledger.close()
      await limits.close()
      await db.close()
      log.info({}, 'stopped')
    },
  }
}
