import { setTimeout as sleep } from 'node:timers/promises'

/** A response during set-up. */
export type Got = {
  // biome-ignore lint/suspicious/noExplicitAny: the server defines its shape
  readonly json: any
  readonly cookie: string
}
export type Ask = (line: string, body?: object, headers?: Readonly<Record<string, string>>) => Promise<Got>

/** A server on a busy machine may answer 503 at startup. Nothing was changed, so it is retried. */
const tries = 40
const pauseMs = 250
const patienceMs = 20_000

/** Sends a request that must succeed: ask('POST /realms', {...}). */
export function asker(url: string, key?: string): Ask {
  const once = (line: string, body: object | undefined, more: Readonly<Record<string, string>>) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...more,
    }
    const signal = AbortSignal.timeout(patienceMs)
    return fetch(url + path, { method, headers, signal, ...(body ? { body: JSON.stringify(body) } : {}) })
  }
  return async (line, body, headers = {}) => {
    for (let turn = 1; ; turn++) {
      const got = await once(line, body, headers)
      const text = await got.text()
      if (got.ok)
        return {
          json: text === '' ? undefined : JSON.parse(text),
          cookie: got.headers.get('set-cookie')?.split(';')[0] ?? '',
        }
      if (got.status !== 503 || turn >= tries) throw new Error(`${line} was answered ${got.status}: ${text}`)
      await sleep(pauseMs)
    }
  }
}
