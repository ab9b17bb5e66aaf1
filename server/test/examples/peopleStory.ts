import type { Answer } from '../../../tests/support/call.ts'
import { accounts } from './cast.ts'
import type { Recorder } from './recorder.ts'

const tokenIn = (link: string): string => new URL(link).hash.replace('#link=', '')
const cookieIn = ({ headers }: Answer): string => headers['set-cookie']?.[0]?.split(';')[0] ?? ''

/** Signs the person with this account in at the provider, and returns the cookie of their session. */
export type SignInByProvider = (account: keyof typeof accounts) => Promise<string>

export async function manageKeys(at: Recorder): Promise<void> {
  const body = { name: 'Shop', scopes: ['members:read', 'points:write'], expiresIn: 7_776_000 }
  const { json } = await at.show('createKey', { body, idempotencyKey: 'key-shop' })
  const path = { keyID: json.id as string }
  await at.show('listKeys')
  await at.show('getKey', { path })
  await at.show('updateKey', { path, body: { name: 'Merch shop' } })
  const { json: rotated } = await at.show('rotateKey', { path, body: { overlapSeconds: 86_400 } })
  await at.show('revokeKey', { path: { keyID: rotated.id } })
}

/** Two people are invited to the realm's team; one signs in by the link. */
export async function managePeople(at: Recorder): Promise<void> {
  const invite = (name: string, role: string) =>
    at.show('createInvitation', { body: { name, role }, idempotencyKey: `invite-${name.toLowerCase()}` })
  const { json: linus } = await invite('Linus', 'owner')
  const { json: mary } = await invite('Mary', 'viewer')
  const path = { invitationID: mary.id as string }
  await at.show('listInvitations')
  await at.show('getInvitation', { path })
  await at.show('cancelInvitation', { path })
  const cookie = cookieIn(await at.show('signInByLink', { body: { token: tokenIn(linus.link) } }))
  const { json: lent } = await at.show('createSessionKey', { cookie, body: { realm: 'demo' } })
  await demote(at, lent.key)
  await at.show('deleteSession', { cookie })
}

/** An owner who issued a key gets a lower role, and is then removed. */
async function demote(at: Recorder, lentKey: string): Promise<void> {
  const own = at.keys.get('demo') ?? ''
  at.keys.set('demo', lentKey)
  await at.ask('createKey', { body: { name: 'Tournament bot', scopes: ['points:write'] } })
  at.keys.set('demo', own)
  const { json } = await at.show('listPeople')
  const path = { personID: json.data[0].id as string }
  await at.show('getPerson', { path })
  await at.show('createPersonLink', { path })
  await at.show('updatePerson', { path, body: { role: 'manager' } })
  await at.show('listOrphanedKeys')
  await at.show('removePerson', { path })
}

/** Grace signs in at the provider. She is invited to two realms, and joins one of them. */
export async function receiveInvitations(at: Recorder, signIn: SignInByProvider): Promise<void> {
  const { name, email } = accounts.grace
  const invite = (realmID: string) =>
    at.ask('createInvitation', { path: { realmID }, body: { name, email, role: 'manager' } })
  const { json: demo } = await invite('demo')
  const { json: chess } = await invite('chess-club')
  await at.show('getSignInOptions')
  const cookie = await signIn('grace')
  await at.show('getSession', { cookie })
  await at.show('acceptInvitation', { cookie, path: { invitationID: demo.id } })
  await at.show('declineInvitation', { cookie, path: { invitationID: chess.id } })
}

export async function manageOperators(at: Recorder): Promise<void> {
  const invite = (name: string) =>
    at.show('inviteOperator', { body: { name }, idempotencyKey: `operator-${name.toLowerCase()}` })
  const { json: olga } = await invite('Olga')
  const { json: pat } = await invite('Pat')
  const path = { invitationID: pat.id as string }
  await at.show('listOperatorInvitations')
  await at.show('getOperatorInvitation', { path })
  await at.show('cancelOperatorInvitation', { path })
  const cookie = cookieIn(await at.ask('signInByLink', { body: { token: tokenIn(olga.link) } }))
  const { json: lent } = await at.show('createSessionOperatorToken', { cookie })
  const own = at.operatorToken
  at.operatorToken = lent.token
  await at.ask('createOperatorToken', { body: { name: 'Backups' } })
  at.operatorToken = own
  const { json } = await at.show('listOperators')
  const personID = json.data[0].id as string
  await at.show('getInstallationPerson', { path: { personID } })
  await at.show('listIssuedCredentials', { path: { personID } })
  await at.show('createOperatorLink', { path: { personID } })
  await at.show('eraseOperator', { path: { personID } })
}
