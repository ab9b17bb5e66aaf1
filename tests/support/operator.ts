import { type Answer, call } from './call.ts'
import { managerKey } from './fixture.ts'
import { operatorToken } from './process.ts'

/** One request to the operator API: operate(url, 'POST /realms', body). */
export function operate(baseUrl: string, line: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  return call(method, `${baseUrl}/operator/v1${path}`, { key: operatorToken, body })
}

/** One request with a key that has every scope: manage(url, 'PUT /realms/guild/members/1', body). */
export async function manage(baseUrl: string, line: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  const realm = path.split('/')[2] ?? ''
  const key = await managerKey({ baseUrl, token: operatorToken }, realm)
  return call(method, `${baseUrl}/api/v4${path}`, { key, body })
}

/** One request with a realm's key: asRealm(url, realm, 'GET /members/1'). */
export function asRealm(
  baseUrl: string,
  realm: { readonly id: string; readonly key: string },
  request: { readonly line: string; readonly body?: unknown; readonly headers?: Record<string, string> },
): Promise<Answer> {
  const [method = '', path = ''] = request.line.split(' ')
  const { body, headers = {} } = request
  return call(method, `${baseUrl}/api/v4/realms/${realm.id}${path}`, { key: realm.key, body, headers })
}
