/** Wallets of the fixture: an EVM address in EIP-55 form and a Solana address. */
export const evmWallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
export const solanaWallet = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'

/** JSON.parse rounds RICH to POOR: a lossy server credits the wrong member. */
export const rich = '1190194345295482952'
export const poor = '1190194345295483000'
export const empty = '9223372036854775807'
export const nobody = '77'

type Access = { readonly baseUrl: string; readonly token: string }

export async function operator(
  access: Access,
  method: string,
  call: { path: string; body?: object },
): Promise<unknown> {
  const response = await fetch(`${access.baseUrl}/operator/v1${call.path}`, {
    method,
    headers: { authorization: `Bearer ${access.token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(call.body ?? {}) }),
  })
  if (response.status !== 200)
    throw new Error(`${method} ${call.path}: ${response.status} ${await response.text()}`)
  return response.json()
}

export type RealmAccess = { readonly id: string; readonly key: string; readonly pointId: string }

export async function makeRealm(access: Access, body: object = {}): Promise<RealmAccess> {
  const realm = (await operator(access, 'POST', { path: '/realms', body })) as {
    id: string
    defaultPointId: string
  }
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

/** The realms, members and wallets that the acceptance check describes, made through the operator's door. */
export async function makeFixture(access: Access): Promise<Fixture> {
  const point = { id: '5f7f3c9f0c1d4e2a8b6d7e90', name: 'Gold' }
  const realm = await makeRealm(access, { name: 'Acceptance', point })
  const secondPointId = '0a0a0a0a0a0a0a0a0a0a0a0a'
  const at = `/realms/${realm.id}`
  await operator(access, 'POST', { path: `${at}/points`, body: { id: secondPointId, name: 'Silver' } })
  const members = [{ id: rich, username: 'rich' }, { id: poor }, { id: empty }]
  await operator(access, 'POST', { path: `${at}/members`, body: { members } })
  await operator(access, 'POST', {
    path: `${at}/members/${rich}/wallets`,
    body: { address: evmWallet.toLowerCase() },
  })
  await operator(access, 'POST', { path: `${at}/members/${poor}/wallets`, body: { address: solanaWallet } })
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
    const response = await fetch(`${baseUrl}/api/v4/realms/${realm.id}/members/${member}/tokenBalance`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${realm.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tokens }),
    })
    if (response.status !== 200) throw new Error(`award: ${response.status} ${await response.text()}`)
  }
}
