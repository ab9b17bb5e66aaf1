import { type Answer, call } from './call.ts'
import { operatorToken } from './process.ts'

/** One request at the operator's door: operate(url, 'POST /realms', body). */
export function operate(baseUrl: string, line: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ')
  return call(method, `${baseUrl}/operator/v1${path}`, { key: operatorToken, body })
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
