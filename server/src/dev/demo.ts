/** A small realm to try things on: members with points and wallets, made through the operator's door. */

export const demoRealm = 'demo'

/** Members of the demo, as a chat community would have them. */
export const demoMembers = [
  { id: '1190194345295482952', username: 'ada', displayName: 'Ada', points: 1200 },
  { id: '1190194345295482953', username: 'grace', displayName: 'Grace', points: 850 },
  { id: '1190194345295482954', username: 'linus', displayName: 'Linus', points: 300 },
  { id: '1190194345295482955', username: 'margaret', displayName: 'Margaret', points: 0 },
] as const

const [ada, grace] = demoMembers
const wallets = [
  { member: ada.id, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
  { member: grace.id, address: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' },
]

export type Access = { readonly url: string; readonly token: string }

async function send(url: string, token: string, call: { method: string; body: object }): Promise<Response> {
  return fetch(url, {
    method: call.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(call.body),
  })
}

async function done(response: Response): Promise<unknown> {
  if (response.status === 200) return response.json()
  throw new Error(`the demo realm could not be made: ${response.status} ${await response.text()}`)
}

/** Makes the demo realm unless it is there, and returns a new key for it. */
export async function makeDemo({ url, token }: Access): Promise<string> {
  const realms = `${url}/operator/v1/realms`
  const body = { id: demoRealm, name: 'Demo', point: { id: 'gold', name: 'Gold' } }
  const created = await send(realms, token, { method: 'POST', body })
  const isNew = created.status !== 409
  if (isNew) await done(created)
  const scopes = ['members:read', 'wallets:read', 'points:write', 'journal:read']
  const named = { name: 'demo', scopes }
  const issued = await send(`${realms}/${demoRealm}/keys`, token, { method: 'POST', body: named })
  const { key } = (await done(issued)) as { key: string }
  if (isNew) await fill({ url, token }, key)
  return key
}

async function fill({ url, token }: Access, key: string): Promise<void> {
  const realm = `${url}/operator/v1/realms/${demoRealm}`
  const members = demoMembers.map(({ id, username, displayName }) => ({ id, username, displayName }))
  await done(await send(`${realm}/members`, token, { method: 'POST', body: { members } }))
  for (const { member, address } of wallets) {
    await done(await send(`${realm}/members/${member}/wallets`, token, { method: 'POST', body: { address } }))
  }
  for (const { id, points } of demoMembers) {
    if (points === 0) continue
    const at = `${url}/api/v4/realms/${demoRealm}/members/${id}/tokenBalance`
    await done(await send(at, key, { method: 'PATCH', body: { tokens: points, reason: 'A warm welcome' } }))
  }
}
