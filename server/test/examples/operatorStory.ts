import { scopes } from '../../src/keys/index.ts'
import type { Recorder } from './recorder.ts'

/** The operator creates realms, and keys for their teams. */
export async function createRealms(at: Recorder): Promise<void> {
  const demo = { id: 'demo', name: 'Demo community', point: { id: 'gold', name: 'Gold' } }
  await at.show('createRealm', { body: demo, idempotencyKey: 'realm-demo' })
  const club = { id: 'chess-club', name: 'Chess club', point: { id: 'pawns', name: 'Pawns' } }
  await at.ask('createRealm', { body: club })
  for (const realmID of ['demo', 'chess-club']) {
    const { json } = await at.ask('createRealmKey', { path: { realmID }, body: { name: 'Server', scopes } })
    at.keys.set(realmID, json.key)
  }
  await at.show('listRealms')
  await at.show('getInstalledRealm')
  await at.show('updateInstalledRealm', { body: { rateLimit: { rate: 500, burst: 5_000 } } })
}

export async function manageRealmKeys(at: Recorder): Promise<void> {
  const body = { name: 'Discord bot', scopes: ['members:read', 'members:write', 'points:write'] }
  const { json: made } = await at.show('createRealmKey', { body, idempotencyKey: 'key-discord-bot' })
  const path = { keyID: made.id as string }
  await at.show('listRealmKeys')
  await at.show('getRealmKey', { path })
  await at.show('updateRealmKey', { path, body: { name: 'Quiz bot' } })
  const { json: rotated } = await at.show('rotateRealmKey', { path, body: { overlapSeconds: 3_600 } })
  await at.show('revokeRealmKey', { path: { keyID: rotated.id } })
}

export async function manageOperatorTokens(at: Recorder): Promise<void> {
  const body = { name: 'Deployment', expiresIn: 86_400 }
  const { json } = await at.show('createOperatorToken', { body, idempotencyKey: 'token-deployment' })
  const path = { tokenID: json.id as string }
  await at.show('listOperatorTokens')
  await at.show('getOperatorToken', { path })
  await at.show('revokeOperatorToken', { path })
}

/** At the end: every entry is signed, once the last is 10 seconds old. */
export async function keepCheckpoint(at: Recorder): Promise<void> {
  const { json } = await at.ask('listJournal', { query: { limit: '1' } })
  await at.until('getCheckpoint', {}, ({ seq }) => seq === json.head.seq)
  await at.show('getCheckpoint')
  await at.show('getPublicCheckpoint')
  await at.show('getCheckpointKeys')
}

export async function lookAtInstallation(at: Recorder): Promise<void> {
  await at.show('getHealth')
  await at.show('getLiveness')
  await at.show('getReadiness')
  await at.show('listInstallationAudit', { query: { limit: '2' } })
  await at.show('listRealmAudit', { query: { limit: '2' } })
  await at.show('listAudit', { query: { limit: '2' } })
  await at.until('listRealmChanges', {}, ({ data }) => data.length > 2)
  await at.show('listRealmChanges', { query: { limit: '2' } })
}
