import assert from 'node:assert/strict'
import { type ListedMember, Realm } from '../../../sdk/src/index.ts'
import { scopes } from '../../../server/src/keys/scopes.ts'
import type { Play } from '../support/stage.ts'

const ways = (
  'amber brisk cedar copper cosmic crimson dapper dusty electric fuzzy gentle golden hazy hollow humble ' +
  'indigo jolly lunar mellow midnight misty mossy nimble paper pixel plucky quiet rusty salty silver ' +
  'sleepy solar spicy starry sunny tidal velvet wandering wild witty'
).split(' ')
const beings = 'wombat quokka ibis tapir okapi'.split(' ')
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const firstId = 1190194345295483001n

/** Two hundred members with different names. */
export const people = beings
  .flatMap((being) => ways.map((way) => [way, being] as const))
  .map(([way, being], nth) => ({
    id: String(firstId + BigInt(nth) * 97n),
    username: `${way}_${being}`,
    displayName: `${capital(way)} ${capital(being)}`,
  }))

/**
 * A realm where the two hundred brought their points from elsewhere and a bot has awarded some this week: who
 * has most is not who gained most.
 */
export async function realmOfPeople(play: Play): Promise<Realm> {
  const id = await play.makeRealm()
  await play.manage('POST', `/realms/${id}/points`, { id: 'silver', name: 'Silver' })
  const issued = await play.operate('POST', `/realms/${id}/keys`, { name: 'The bot', scopes })
  const realm = new Realm({ url: play.stage.url, realm: id, key: (issued as { key: string }).key })
  const rows = people.map((one, nth) => [one.id, one.username, one.displayName, 5_000 - 20 * nth].join(','))
  await realm.import(`id,username,displayName,balance\n${rows.join('\n')}\n`, { name: 'the move' })
  const active = people.slice(100, 160)
  await realm.batch(active.map((one, nth) => ({ member: one.id, tokens: 300 - 3 * nth, reason: 'Chat' })))
  return realm
}

/** The member with a display name. */
export async function memberNamed(realm: Realm, name: string): Promise<ListedMember> {
  const { data } = await realm.members.list({ search: name }).page()
  const member = data.find(({ displayName }) => displayName === name)
  assert.ok(member, `no member is called ${name}`)
  return member
}

/** All balances in the default currency, by member. */
export async function balances(realm: Realm): Promise<ReadonlyMap<string, number>> {
  const members = await realm.members.list().toArray({ max: 1_000 })
  return new Map(members.map(({ id, tokenBalance }) => [id, tokenBalance]))
}

/** The newest change of a member, which must be an award by the person who does the tasks. */
export async function newestAward(realm: Realm, { id }: ListedMember) {
  const [entry] = (await realm.member(id).history().page({ limit: 1 })).data
  assert.deepEqual([entry?.type, entry?.person?.name], ['adjust', 'Ann Archer'])
  assert.ok(entry)
  return entry
}
