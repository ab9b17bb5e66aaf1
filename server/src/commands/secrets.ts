import { ConfigError } from '../config/index.ts'
import { encryptWebhooksAgain, listEncryptedWebhooks } from '../events/webhooks/index.ts'
import { countKeysBySecret, findSecretMismatch } from '../keys/index.ts'
import { countSecretUses } from '../people/index.ts'
import type { Realm, Realms } from '../realms/index.ts'
import { command, type Nouns, print, withNouns } from './command.ts'

const pageSize = 100

/** What needs a secret of KEY_SECRETS. */
type Uses = {
  keys: number
  webhooks: number
  operatorTokens: number
  invitations: number
  sessions: number
  sessionTokens: number
  readonly realms: Set<string>
}

const none = (): Uses => {
  const ofPeople = { operatorTokens: 0, invitations: 0, sessions: 0, sessionTokens: 0 }
  return { keys: 0, webhooks: 0, ...ofPeople, realms: new Set() }
}

/** The realms of this cell, in order of creation. */
async function* pagesOf(realms: Realms): AsyncGenerator<readonly Realm[]> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Realm[] = await realms.page({ after, limit: pageSize })
    if (page.length > 0) yield page
    after = page.at(-1)?.number
  }
}

/** A wrong secret decrypts no webhook, so that none would be counted. */
async function checkSecrets({ db, config }: Nouns): Promise<void> {
  const mismatch = await findSecretMismatch(db, config.keySecrets)
  if (mismatch !== undefined) throw new ConfigError(mismatch)
}

type Count = { readonly uses: ReadonlyMap<string, Uses>; readonly unreadableWebhooks: number }

async function countUses({ db, directory, realms, config }: Nouns): Promise<Count> {
  const uses = new Map(config.keySecrets.map(({ id }) => [id, none()]))
  const usesOf = (id: string): Uses => {
    const found = uses.get(id) ?? none()
    uses.set(id, found)
    return found
  }
  let unreadableWebhooks = 0
  for await (const page of pagesOf(realms)) {
    const ids = new Map(page.map(({ number, id }) => [number, id]))
    const numbers = [...ids.keys()]
    for (const { realm, secret_id: id, count } of await countKeysBySecret(db, numbers)) {
      usesOf(id).keys += count
      usesOf(id).realms.add(ids.get(realm) ?? '')
    }
    for (const { realm, secretIds } of await listEncryptedWebhooks(db, config.keySecrets, numbers)) {
      if (secretIds.includes(undefined)) unreadableWebhooks += 1
      for (const id of secretIds.filter((one) => one !== undefined)) {
        usesOf(id).webhooks += 1
        usesOf(id).realms.add(ids.get(realm) ?? '')
      }
    }
  }
  for (const { what, secret_id: id, count } of await countSecretUses(directory.db)) usesOf(id)[what] += count
  return { uses, unreadableWebhooks }
}

async function list(nouns: Nouns): Promise<undefined> {
  await checkSecrets(nouns)
  const { uses, unreadableWebhooks } = await countUses(nouns)
  const configured = nouns.config.keySecrets.map(({ id }) => id)
  const secrets = [...uses].map(([id, { realms, ...counts }]) => ({
    id,
    isConfigured: configured.includes(id),
    isCurrent: id === configured[0],
    isNeeded: Object.values(counts).some((count) => count > 0),
    ...counts,
    realms: [...realms],
  }))
  print({ cell: nouns.directory.cell, secrets, unreadableWebhooks })
  return undefined
}

async function encrypt(nouns: Nouns): Promise<undefined> {
  await checkSecrets(nouns)
  const { db, realms, config } = nouns
  let webhooks = 0
  for await (const page of pagesOf(realms)) {
    const numbers = page.map(({ number }) => number)
    webhooks += await encryptWebhooksAgain(db, config.keySecrets, numbers)
  }
  print({ cell: nouns.directory.cell, secret: config.keySecrets[0]?.id, webhooks })
  return undefined
}

/** To replace a secret of KEY_SECRETS. */
export const secretCommands = [
  command('secret list', 'count what needs each secret of KEY_SECRETS, in this cell', () => withNouns(list)),
  command('secret encrypt', 'encrypt the secrets of webhooks with the first secret of KEY_SECRETS', () =>
    withNouns(encrypt),
  ),
]
