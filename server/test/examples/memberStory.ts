import { ada, kim, robin, sam, twin } from './cast.ts'
import type { Recorder } from './recorder.ts'

export async function setUpRealm(at: Recorder): Promise<void> {
  await at.show('updateRealm', { body: { publicBoard: true } })
  await at.show('getRealm')
  const silver = { id: 'silver', name: 'Silver', emoji: '🥈', maxPerDay: 1_000 }
  await at.show('createPoint', { body: silver, idempotencyKey: 'point-silver' })
  const path = { realmPointId: 'silver' }
  await at.show('updatePoint', { path, body: { transferable: false } })
  const yearly = { after: { months: 12, roundTo: 'month' } }
  await at.show('updateLapseRule', { path, query: { dryRun: 'true' }, body: yearly })
  await at.show('updateLapseRule', { path, body: yearly })
  await at.show('getLapseRule', { path })
  await at.show('listLapsing', { path })
  await at.show('deleteLapseRule', { path })
  await at.show('getPoint', { path })
  await at.show('listPoints')
}

export async function addMembers(at: Recorder): Promise<void> {
  const path = { memberID: ada }
  await at.show('putMember', { path, body: { username: 'ada', displayName: 'Ada' } })
  await at.show('putMember', { path, body: { note: 'Runs the weekly quiz' } })
  const members = [
    { id: robin, username: 'robin', displayName: 'Robin' },
    { id: kim, username: 'kim', displayName: 'Kim' },
  ]
  await at.show('upsertMembers', { body: { members } })
  await at.show('getProfile', { path })
  const named = { memberID: ada, identity: 'twitch:ada_99' }
  await at.show('putIdentity', { path: named, body: { name: 'ada' } })
  await at.show('putIdentity', { path: named, body: { name: 'Ada' } })
  await at.show('listIdentities', { path })
  await at.show('getIdentity', { path: named })
  await at.show('linkIdentity', { path, body: { identity: 'email:ada@example.org' } })
}

/** Members in files: first an import from another service, then an export of all. */
export async function importAndExport(at: Recorder): Promise<void> {
  const query = { name: 'spreadsheet' }
  const rows = `id,username,displayName,balance\n${sam},sam,Sam,25\n`
  await at.show('importRows', { query, text: { type: 'text/csv', body: rows } })
  const line = `${JSON.stringify({ id: sam, username: 'sam', displayName: 'Sam', balance: 25 })}\n`
  await at.show('importRows', { query, text: { type: 'application/x-ndjson', body: line } })
  await at.show('exportMembers')
  await at.show('exportBalances')
  await at.show('exportEntries')
  await at.show('exportRealm')
}

/** A member that another one turns out to be, and is not after all. */
export async function mergeMembers(at: Recorder): Promise<void> {
  const path = { memberID: robin }
  await at.ask('putMember', { path: { memberID: twin }, body: {} })
  const query = { dryRun: 'true' }
  await at.show('mergeMembers', { path, query, body: { from: twin, force: true } })
  const { json } = await at.show('mergeMembers', { path, body: { from: twin, force: true } })
  await at.show('listMerges', { query: { memberId: robin } })
  const merge = { mergeNumber: json.number }
  await at.show('getMerge', { path: merge })
  await at.show('undoMerge', { path: merge })
}

export async function removeMembers(at: Recorder): Promise<void> {
  const path = { memberID: twin }
  await at.ask('putMember', { path, body: { username: 'robin2' } })
  const named = { memberID: twin, identity: 'twitch:robin2' }
  await at.ask('putIdentity', { path: named, body: {} })
  await at.show('deleteIdentity', { path: named })
  await at.show('deleteMember', { path })
  // Only a member without points can be erased.
  const { json } = await at.ask('getMember', { path: { memberID: sam } })
  const spent = { tokens: -json.tokenBalance, reason: 'Given back' }
  await at.ask('adjustPoints', { path: { memberID: sam }, body: spent })
  await at.show('eraseMember', { path: { memberID: sam }, idempotencyKey: 'erasure-sam' })
}
