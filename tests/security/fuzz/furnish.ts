import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '../../../server/src/keys/index.ts'
import { operatorToken } from '../../support/process.ts'
import { evmSigner } from '../../support/signers.ts'
import { type Ask, asker } from './ask.ts'
import type { Secrets, Values } from './draft.ts'
import { everywhere, type Kind, Things } from './things.ts'
import {
  chain,
  coin,
  coinCollection,
  deafUrl,
  memberIds,
  openingPoints,
  passersBy,
  type RealmName,
  realms,
  yard,
} from './world.ts'

/** Email of those whose sessions are used; the stage marks it as verified by a provider. */
export const invitedEmail = 'olga@example.com'
/** How many of each consumable thing to create: some are used by requests that fail. */
const count = 6
const each = Array.from({ length: count }, (_, place) => place)
/** Members with a wallet of their own, proved: used for snapshots. */
const provers = memberIds.slice(-2)

/** Sends set-up requests of a realm: as the operator, and with a key of the realm. */
type Room = {
  readonly url: string
  readonly id: string
  readonly operate: Ask
  readonly ask: Ask
  readonly things: Things
  readonly entries: string[]
}

/** Creates the realms through the operator API, and one of everything that a route may need. */
export async function furnish(url: string): Promise<{ values: Values; entries: string[] }> {
  const operate = asker(`${url}/operator/v1`, operatorToken)
  const things = new Things()
  const entries: string[] = []
  const room = { url, operate, things, entries }
  await operate('POST /realms', { id: yard, point: { id: 'yardgold' } })
  const yardKey = (await operate(`POST /realms/${yard}/keys`, { name: 'yard', scopes })).json.key as string
  const inYard = asker(`${url}/api/v4/realms/${yard}`, yardKey)
  await inYard('POST /members', { members: [...memberIds, ...passersBy].map((id) => ({ id })) })
  const own = await furnishRealm(room, 'amber')
  const other = await furnishRealm(room, 'beryl')
  const issue = async (name: string) => (await operate(`POST /realms/${realms.amber.id}/keys`, { name })).json
  const { key: canary } = await issue('canary')
  const { key: revoked, id } = await issue('revoked')
  await operate(`DELETE /realms/${realms.amber.id}/keys/${id}`)
  const keys: readonly (readonly [string, string])[] = [
    [realms.amber.id, own],
    [realms.beryl.id, other],
    [yard, yardKey],
  ]
  for (const [realm, key] of keys) {
    const ask = asker(`${url}/api/v4/realms/${realm}`, key)
    await furnishAccess({ ...room, id: realm, ask })
    if (realm !== yard) await furnishLedger({ ...room, id: realm, ask })
    await furnishWebhooks({ ...room, id: realm, ask })
  }
  await inYard('PATCH ', { publicBoard: true })
  await furnishInstallation(room)
  await furnishReceived(room)
  await furnishLinks({ ...room, id: yard, ask: inYard })
  const secrets: Secrets = { own, other, canary, revoked, operator: operatorToken }
  return { values: { secrets, things }, entries }
}

async function furnishRealm({ url, operate }: Omit<Room, 'id' | 'ask'>, name: RealmName): Promise<string> {
  const { id, point, names, wallet, vault, unknownMembers } = realms[name]
  const [username = '', displayName = ''] = names
  await operate('POST /realms', { id, name: `${displayName}s`, unknownMembers, point: { id: point } })
  const { key } = (await operate(`POST /realms/${id}/keys`, { name: 'own', scopes })).json
  const ask = asker(`${url}/api/v4/realms/${id}`, key)
  // The one keeps its rule; the rule of the other is deleted.
  for (const type of ['silver', 'bronze']) {
    await ask('POST /points', { id: type })
    await ask(`PUT /points/${type}/lapse`, { after: { days: 300 } })
  }
  const members = [...memberIds, ...passersBy, vault.id].map((member) => ({
    id: member,
    username,
    displayName,
  }))
  await ask('POST /members', { members })
  await ask(`POST /members/${memberIds[0]}/wallets`, { address: wallet })
  for (const member of memberIds)
    await ask(`PATCH /members/${member}/tokenBalance`, { tokens: openingPoints })
  await ask(`PATCH /members/${vault.id}/tokenBalance`, { tokens: vault.points })
  return key
}

/** Holds, awards, entries to reverse, collections that were read, proved wallets and snapshots. */
async function furnishLedger({ id, ask, things, entries }: Room): Promise<void> {
  const change = async (kind: Kind, line: string, body: object) => {
    const { json } = await ask(line, body)
    things.add(kind, id, json.holdId ?? json.awardId ?? json.transactionId)
    entries.push(`${id} ${json.transactionId}`)
  }
  for (const place of each) {
    const member = memberIds[place % memberIds.length]
    await change('hold', `POST /members/${member}/holds`, { tokens: 20, expiresIn: 86_400 })
    await change('award', `POST /members/${member}/awards`, { tokens: 20 })
    await change('entry', `PATCH /members/${member}/tokenBalance`, {
      tokens: 3,
      reference: `set-up ${place}`,
    })
  }
  await ask(`PUT /web3/collections/${coinCollection}`, { chain, standard: 'erc20', address: coin })
  for (const member of provers) await prove(ask, `/members/${member}/wallets`)
  for (const place of each) {
    await ask('POST /snapshots', { id: `taken-${place}`, chain })
    things.add(place < 2 ? 'snapshot' : 'spareSnapshot', id, `taken-${place}`)
  }
  await untilRead(ask)
}

/** Webhooks whose receiver does not exist: an ordered one waits at its first event. */
async function furnishWebhooks({ id, ask, things }: Room): Promise<void> {
  for (const place of each) {
    const { json } = await ask('POST /webhooks', { url: deafUrl })
    things.add(place < 2 ? 'webhook' : 'spareWebhook', id, json.id)
  }
  const { json } = await ask('POST /webhooks', { url: deafUrl, ordered: true, from: '1' })
  things.add('blockedWebhook', id, json.id)
}

/** Links a wallet by its owner's signature; on the linking page, `at` is the page's path. */
async function prove(ask: Ask, at: string): Promise<void> {
  await ask(`POST ${at}`, await proofFor(ask, `${at}/challenges`))
}

async function proofFor(ask: Ask, at: string): Promise<object> {
  const signer = evmSigner()
  const { message } = (await ask(`POST ${at}`, { address: signer.address, chain })).json
  return { address: signer.address, message, signature: signer.sign(message) }
}

const readMs = 60_000

/** Waits until the wallets' balances of the coin are known. */
async function untilRead(ask: Ask): Promise<void> {
  for (const deadlineMs = Date.now() + readMs; ; await sleep(100)) {
    const { data } = (await ask('GET /web3/collections')).json as {
      data: readonly { readonly id: string; readonly block: string | null }[]
    }
    if (data.some(({ id, block }) => id === coinCollection && block !== null)) return
    if (Date.now() > deadlineMs) throw new Error('the collections of the set-up were not read')
  }
}

const tokenIn = (link: string): string => new URL(link).hash.replace('#link=', '')

async function signIn(url: string, link: string): Promise<string> {
  const ask = asker(url)
  return (await ask('POST /console/sign-in/link', { token: tokenIn(link) }, { origin: url })).cookie
}

/** A merge that may be undone, and a member that may be merged. */
async function furnishMerges(
  place: number | string,
  { id, ask, things }: Pick<Room, 'id' | 'ask' | 'things'>,
): Promise<void> {
  const [survivor, merged, mergeable] = [6_600, 6_700, 6_800].map((from) => String(from + Number(place)))
  for (const member of ['6599', survivor, merged, mergeable]) await ask(`PUT /members/${member}`, {})
  const { json } = await ask(`POST /members/${survivor}/merges`, { from: merged, force: true })
  things.add('merge', id, json.number)
  things.add('mergeable', id, mergeable ?? '')
}

/** Keys, people, invitations, wallets and identities of a realm. */
async function furnishAccess({ url, id, ask, things }: Room): Promise<void> {
  const invite = async (role: string) => (await ask('POST /invitations', { name: 'Ann', role })).json
  const keys: readonly Kind[] = ['key', 'rotatableKey', 'spareKey']
  for (const place of each) {
    const kind = keys[place % keys.length] ?? 'key'
    things.add(kind, id, (await ask('POST /keys', { name: `spare ${place}` })).json.id)
    things.add('invitation', id, (await invite('viewer')).id)
    await signIn(url, (await invite('manager')).link)
    await ask(`PUT /web3/collections/spare-${place}`, { chain, standard: 'native' })
    things.add('collection', id, `spare-${place}`)
    const { address } = evmSigner()
    await ask(`POST /members/${memberIds[2]}/wallets`, { address })
    things.add('wallet', id, address)
    await ask(`PUT /members/${memberIds[2]}/identities/game:spare-${place}`, {})
    things.add('identity', id, `game:spare-${place}`)
    await furnishMerges(place, { id, ask, things })
  }
  const { data } = (await ask('GET /people')).json as { data: { id: string }[] }
  for (const person of data) things.add('person', id, person.id)
}

/** Operators, their sessions, and tokens. */
async function furnishInstallation({ url, operate, things }: Omit<Room, 'id' | 'ask'>): Promise<void> {
  const invite = async (email?: string) =>
    (await operate('POST /invitations', { name: 'Olga', ...(email && { email }) })).json
  for (const place of each) {
    things.add('token', everywhere, (await operate('POST /tokens', { name: `spare ${place}` })).json.id)
    things.add('invitation', everywhere, (await invite()).id)
    things.add('signIn', everywhere, tokenIn((await invite()).link))
    const cookie = await signIn(url, (await invite(invitedEmail)).link)
    things.add('session', everywhere, cookie.split('=')[1] ?? '')
  }
  const known = new Set(((await operate('GET /people')).json.data as { id: string }[]).map(({ id }) => id))
  for (const _ of each) await signIn(url, (await invite()).link)
  const { data: people } = (await operate('GET /people')).json as { data: { id: string }[] }
  // Operators whose sessions are used must stay.
  for (const { id } of people.filter((one) => !known.has(one.id))) things.add('person', everywhere, id)
}

/** A realm for each invitation to the address: accepting one invalidates the others of its realm. */
async function furnishReceived({
  url,
  operate,
  things,
}: Pick<Room, 'url' | 'operate' | 'things'>): Promise<void> {
  for (const place of each) {
    const id = `lobby-${place}`
    await operate('POST /realms', { id })
    const invited = { name: 'Olga', email: invitedEmail, role: 'viewer' }
    const { key } = (await operate(`POST /realms/${id}/keys`, { scopes })).json
    const ask = asker(`${url}/api/v4/realms/${id}`, key)
    things.add('received', everywhere, (await ask('POST /invitations', invited)).json.id)
  }
}

/** Links to the page where a wallet is proved, and some where only the signature has to be sent. */
async function furnishLinks({ url, id, ask, things }: Room): Promise<void> {
  const make = async (place: number): Promise<string> => {
    const { json } = await ask(`POST /members/${memberIds[place]}/wallets/links`, {})
    return new URL(json.url).pathname.split('/').at(-1) ?? ''
  }
  for (const place of each) {
    things.add('link', id, await make(place))
    const token = await make(place)
    things.add('provenLink', id, token)
    const proof = await proofFor(asker(url), `/link/${token}/challenges`)
    things.add('proof', id, JSON.stringify(proof))
  }
}
