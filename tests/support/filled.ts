import assert from 'node:assert/strict'
import type { Answer } from './call.ts'
import { type ManagedRealm, managed } from './manager.ts'
import { asRealm, operate } from './operator.ts'
import { anOperator, invitedPerson } from './person.ts'
import { evmSigner } from './signers.ts'
import type { Suite } from './suite.ts'

const chain = 'eip155:1'

/** So that a realm can have collections; nothing waits for the chain. */
export const filledSettings = {
  CHAINS: `${chain}=http://127.0.0.1:9`,
  HOLDINGS_SPACING_SECONDS: '0',
  WEBHOOK_ALLOW: '127.0.0.1',
  OPERATOR_FEED: 'on',
}

/** A realm with at least three items of every list. */
export type FilledRealm = {
  readonly realm: ManagedRealm
  /** Expected items of each list, by path and by the item's identifier. */
  readonly items: Readonly<Record<string, readonly string[]>>
}

const v4 = '/api/v4/realms/{realmID}'
const op = '/operator/v1'

const done = ({ status, text, json }: Answer) => {
  assert.ok(status >= 200 && status < 300, text)
  return json
}

/** One after the other, as a realm's journal has them. */
async function three<T>(make: (n: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (const n of [1, 2, 3]) made.push(await make(n))
  return made
}

const idsOf = (made: readonly { readonly id: string }[]): string[] => made.map(({ id }) => id)

/** People who sign in, what they issue, and what stays after them. */
async function fillPeople(made: Suite, realm: ManagedRealm) {
  const { url } = made.app
  const owners = await three(async (n) => {
    const owner = await invitedPerson(url, realm, { role: 'owner', name: `Owner ${n}` })
    const { id } = (await owner.send('GET', '/console/session')).json.person as { id: string }
    const key = await owner.key(realm.id)
    const issued = done(await asRealm(url, { id: realm.id, key }, { line: 'POST /keys', body: {} }))
    return { id, key: issued.id as string }
  })
  for (const { id } of owners) done(await realm.send(`PATCH /people/${id}`, { role: 'viewer' }))
  const operators = await three(async (n) => {
    const operator = await anOperator(url, `Operator ${n}`)
    return (await operator.send('GET', '/console/session')).json.person as { id: string }
  })
  const invitations = await three(async (n) =>
    done(await realm.send('POST /invitations', { name: `Guest ${n}`, role: 'viewer' })),
  )
  const invited = await three(async (n) =>
    done(await operate(url, 'POST /invitations', { name: `New ${n}` })),
  )
  return {
    [`${v4}/people`]: idsOf(owners),
    [`${v4}/keys/orphaned`]: owners.map(({ key }) => key),
    [`${v4}/invitations`]: idsOf(invitations),
    [`${op}/people`]: idsOf(operators),
    [`${op}/invitations`]: idsOf(invited),
  }
}

async function fillKeys(made: Suite, realm: ManagedRealm) {
  const { url } = made.app
  const live = await three(async () => done(await realm.send('POST /keys', {})))
  const tokens = await three(async (n) => done(await operate(url, 'POST /tokens', { name: `Token ${n}` })))
  const revoked = await three(async () => done(await realm.send('POST /keys', {})))
  for (const { id } of revoked) done(await realm.send(`DELETE /keys/${id}`))
  const ended = await three(async (n) => done(await operate(url, 'POST /tokens', { name: `Ended ${n}` })))
  for (const { id } of ended) done(await operate(url, `DELETE /tokens/${id}`))
  return {
    [`${v4}/keys`]: idsOf(live),
    [`${v4}/keys?status=revoked`]: idsOf(revoked),
    [`${op}/realms/{realmID}/keys`]: idsOf(live),
    [`${op}/realms/{realmID}/keys?status=revoked`]: idsOf(revoked),
    [`${op}/tokens`]: idsOf(tokens),
    [`${op}/tokens?status=revoked`]: idsOf(ended),
  }
}

async function fillMembers({ send, pointId }: ManagedRealm) {
  const members = ['1', '2', '3']
  const named = members.map((id) => ({ id, username: `member ${id}` }))
  done(await send('POST /members', { members: named }))
  const entries = await three(async () => done(await send('PATCH /members/1/tokenBalance', { tokens: 100 })))
  done(await send(`PUT /points/${pointId}/lapse`, { after: { days: 300 } }))
  for (const id of ['2', '3'])
    done(await send(`PATCH /members/${id}/tokenBalance`, { tokens: 10 * Number(id) }))
  const holds = await three(async (n) => done(await send('POST /members/1/holds', { tokens: n })))
  const promised = await three(async (n) => done(await send('POST /members/1/awards', { tokens: n })))
  const other = await three(async (n) => done(await send('POST /members/2/holds', { tokens: n })))
  const identities = await three(async (n) => {
    const { identity } = done(await send(`PUT /members/1/identities/game:${n}`, {}))
    return identity as string
  })
  const wallets = await three(async () => {
    const { address, sign } = evmSigner()
    const { message } = done(await send('POST /members/1/wallets/challenges', { address, chain }))
    done(await send('POST /members/1/wallets', { address, message, signature: sign(message) }))
    return address
  })
  const merges = await three(async (n) => {
    done(await send(`PUT /members/40${n}`, {}))
    return done(await send('POST /members/3/merges', { from: `40${n}`, force: true })).number as string
  })
  const own = holds.map(({ holdId }) => holdId as string)
  const awards = promised.map(({ awardId }) => awardId as string)
  const all = [...own, ...other.map(({ holdId }) => holdId as string)]
  const seqs = entries.map(({ transactionId }) => transactionId as string)
  return {
    [`${v4}/members`]: members,
    [`${v4}/members?search=member`]: members,
    [`${v4}/members/{memberID}/history`]: [...seqs, ...own],
    [`${v4}/journal`]: [...seqs, ...all],
    [`${v4}/points/{realmPointId}/lapsing`]: members,
    [`${v4}/leaderboard`]: members,
    [`${v4}/members/{memberID}/holds`]: own,
    [`${v4}/holds`]: all,
    [`${v4}/members/{memberID}/awards`]: awards,
    [`${v4}/awards`]: awards,
    [`${v4}/merges`]: merges,
    [`${v4}/merges?memberId=3`]: merges,
    [`${v4}/members/{memberID}/identities`]: identities,
    [`${v4}/members/{memberID}/wallets`]: wallets,
  }
}

/** Members that are merged into the third one. */
async function fillMerges({ send }: ManagedRealm) {
  const merges = await three(async (n) => {
    const from = String(10 + n)
    done(await send('POST /members', { members: [{ id: from }] }))
    return done(await send('POST /members/3/merges', { from, force: true })).number as string
  })
  return { [`${v4}/merges`]: merges, [`${v4}/merges?memberId=3`]: merges }
}

async function fillRest(made: Suite, realm: ManagedRealm) {
  const { send } = realm
  const points = await three(async (n) => done(await send('POST /points', { id: `point${n}` })))
  const snapshots = ['first', 'second', 'third']
  for (const id of snapshots) done(await send('POST /snapshots', { id, chain }))
  const collections = ['ether', 'gas', 'wei']
  for (const id of collections) done(await send(`PUT /web3/collections/${id}`, { chain, standard: 'native' }))
  const unused = { url: 'http://127.0.0.1:9/', types: ['endpoint.disabled'] }
  const webhooks = await three(async () => done(await send('POST /webhooks', unused)))
  for (const _ of webhooks) done(await send('POST /webhooks/1/test'))
  const realms = await three(async () => done(await operate(made.app.url, 'POST /realms', {})))
  return {
    [`${v4}/points`]: [realm.pointId, ...idsOf(points)],
    [`${v4}/snapshots`]: snapshots,
    [`${v4}/webhooks`]: idsOf(webhooks),
    [`${v4}/webhooks/{webhookID}/deliveries`]: ['1', '2', '3'],
    [`${v4}/snapshots/{snapshotID}/members`]: ['1', '2', '3'],
    [`${v4}/web3/collections`]: collections,
    [`${op}/realms`]: [realm.id, ...idsOf(realms)],
    [`${v4}/audit`]: [],
    [`${op}/audit`]: [],
    [`${op}/realms/{realmID}/audit`]: [],
    [`${op}/changes`]: ['1', '2', '3'].map((seq) => `${realm.id} ${seq}`),
  }
}

export async function fillRealm(made: Suite): Promise<FilledRealm> {
  const realm = await managed(made)
  const items = {
    ...(await fillPeople(made, realm)),
    ...(await fillKeys(made, realm)),
    ...(await fillMembers(realm)),
    ...(await fillMerges(realm)),
    ...(await fillRest(made, realm)),
  }
  return { realm, items }
}
