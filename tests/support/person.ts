import assert from 'node:assert/strict'
import { type Answer, type Call, call } from './call.ts'
import type { RealmAccess } from './fixture.ts'
import { manage, operate } from './operator.ts'

/** A browser with one person signed in: it keeps the session's cookie and sends the Origin header. */
export type Browser = {
  readonly cookie: string
  send(method: string, path: string, options?: Call): Promise<Answer>
  /** A key of a realm, for calls to /api/v4. */
  key(realm: string): Promise<string>
}

export const cookieIn = (answer: Answer, name = 'exchequer-session'): string =>
  answer.headers['set-cookie']?.find((one) => one.startsWith(`${name}=`))?.split(';')[0] ?? ''

export function browser(baseUrl: string, cookie: string): Browser {
  const send = (method: string, path: string, { headers = {}, ...options }: Call = {}) =>
    call(method, `${baseUrl}${path}`, {
      ...(method === 'POST' ? { body: {} } : {}),
      ...options,
      headers: { cookie, origin: baseUrl, ...headers },
    })
  return {
    cookie,
    send,
    async key(realm) {
      const answer = await send('POST', '/console/session/keys', { body: { realm } })
      assert.equal(answer.status, 200, answer.text)
      return answer.json.key
    },
  }
}

export const tokenIn = (link: string): string => new URL(link).hash.replace('#link=', '')

/** Signs in by the token of a link, as the page does when its button is pressed. */
export async function useLink(baseUrl: string, token: string, headers: Record<string, string> = {}) {
  const sent = { origin: baseUrl, ...headers }
  const answer = await call('POST', `${baseUrl}/console/sign-in/link`, { body: { token }, headers: sent })
  if (answer.status !== 200) return answer
  const cookie = cookieIn(answer)
  const { json } = await call('GET', `${baseUrl}/console/session`, { headers: { cookie, ...sent } })
  return { ...answer, json }
}

async function signIn(baseUrl: string, invited: Answer): Promise<Browser> {
  assert.equal(invited.status, 201, invited.text)
  const answer = await useLink(baseUrl, tokenIn(invited.json.link))
  assert.equal(answer.status, 200, answer.text)
  return browser(baseUrl, cookieIn(answer))
}

/** A new person of a realm, who has signed in by the link of an invitation. */
export async function invitedPerson(
  baseUrl: string,
  { id }: Pick<RealmAccess, 'id'>,
  { role, name = 'Ann' }: { readonly role: string; readonly name?: string },
): Promise<Browser> {
  return signIn(baseUrl, await manage(baseUrl, `POST /realms/${id}/invitations`, { name, role }))
}

export async function anOperator(baseUrl: string, name = 'Olga'): Promise<Browser> {
  return signIn(baseUrl, await operate(baseUrl, 'POST /invitations', { name }))
}
