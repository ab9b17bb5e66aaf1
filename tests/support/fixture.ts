import { scopes } from '../../server/src/keys/index.ts'
import { patiently } from './call.ts'

/** Wallets of the fixture: an EVM address in EIP-55 form and a Solana address. */
export const evmWallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const solanaWallet = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

/** JSON.parse rounds RICH to POOR: a lossy server credits the wrong member. */
export const rich = '1190194345295482952'
export const poor = '1190194345295483000'
export const empty = '9223372036854775807'
export const unknownMember = '77'

type Access = { readonly baseUrl: string; readonly token: string }

type Sent = { readonly path: string; readonly body?: object }

async function fetchText(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  const response = await fetch(url, request)
  return { status: response.status, text: await response.text() }
}

async function send(url: string, key: string, { method, path, body }: Sent & { readonly method: string }) {
  const request = {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  }
  const { status, text } = await patiently(() => fetchText(`${url}${path}`, request))
  if (status < 200 || status > 299) throw new Error(`${method} ${path}: ${status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

export const operator = ({ baseUrl, token }: Access, method: string, sent: Sent): Promise<unknown> =>
  send(`${baseUrl}/operator/v1`, token, { method, ...sent })

/** One for each realm of a server, so that a test that sends much does not fill the list of keys. */
const managerKeys = new Map<string, Promise<string>>()
const keyName = ({ baseUrl }: Access, realm: string): string => `${baseUrl} ${realm}`

/** A key with every scope of a realm. */
export function managerKey(access: Access, realm: string): Promise<string> {
  const name = keyName(access, realm)
  const made = managerKeys.get(name) ?? issueKey(access, realm)
  managerKeys.set(name, made)
  made.catch(() => managerKeys.delete(name))
  return made
}

async function issueKey(access: Access, realm: string): Promise<string> {
  const issue = { path: `/realms/${realm}/keys`, body: { name: 'manager', scopes } }
  return ((await operator(access, 'POST', issue)) as { key: string }).key
}

/** A call with a key that has every scope: manager(access, 'PUT', { path: '/realms/guild/members/1' }). */
export async function manager(access: Access, method: string, sent: Sent): Promise<unknown> {
  const key = await managerKey(access, sent.path.split('/')[2] ?? '')
  return send(`${access.baseUrl}/api/v4`, key, { method, ...sent })
}

export type RealmAccess = { readonly id: string; readonly key: string; readonly pointId: string }

export async function makeRealm(access: Access, body: object = {}): Promise<RealmAccess> {
  const realm = (await operator(access, 'POST', { path: '/realms', body })) as {
    id: string
    defaultPointId: string
  }
  // A server that was here before may have had a realm of this name.
  managerKeys.delete(keyName(access, realm.id))
  const path = `/realms/${realm.id}/keys`
  const { key } = (await operator(access, 'POST', { path, body: { name: 'test' } })) as { key: string }
  return { id: realm.id, key, pointId: realm.defaultPointId }
}

export type Fixture = {
  readonly baseUrl: string
  readonly realm: RealmAccess & { readonly secondPointId: string }
  readonly other: RealmAccess
  readonly open: RealmAccess
  readonly wallets: { readonly evm: string; readonly solana: string }
}

/** The realms, members and wallets that the acceptance check describes, created by an operator. */
export async function makeFixture(access: Access): Promise<Fixture> {
  const point = { id: '5f7f3c9f0c1d4e2a8b6d7e90', name: 'Gold' }
  const realm = await makeRealm(access, { name: 'Acceptance', point })
  const secondPointId = '0a0a0a0a0a0a0a0a0a0a0a0a'
  const at = `/realms/${realm.id}`
  await manager(access, 'POST', { path: `${at}/points`, body: { id: secondPointId, name: 'Silver' } })
  const members = [{ id: rich, username: 'rich' }, { id: poor }, { id: empty }]
  await manager(access, 'POST', { path: `${at}/members`, body: { members } })
  await manager(access, 'POST', {
    path: `${at}/members/${rich}/wallets`,
    body: { address: evmWallet.toLowerCase() },
  })
  await manager(access, 'POST', { path: `${at}/members/${poor}/wallets`, body: { address: solanaWallet } })
  await award(access.baseUrl, realm, { [rich]: 100_000, [poor]: 5 })
  const other = await makeRealm(access)
  const open = await makeRealm(access, { unknownMembers: 'create' })
  const wallets = { evm: evmWallet, solana: solanaWallet }
  return { baseUrl: access.baseUrl, realm: { ...realm, secondPointId }, other, open, wallets }
}

export async function award(
  baseUrl: string,
  realm: RealmAccess,
  points: Record<string, number>,
): Promise<void> {
  for (const [member, tokens] of Object.entries(points)) {
    const url = `${baseUrl}/api/v4/realms/${realm.id}/members/${member}/tokenBalance`
    const request = {
      method: 'PATCH',
      headers: { authorization: `Bearer ${realm.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tokens }),
    }
    const { status, text } = await patiently(() => fetchText(url, request))
    if (status !== 200) throw new Error(`award: ${status} ${text}`)
  }
}
