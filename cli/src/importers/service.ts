import { setTimeout as sleep } from 'node:timers/promises'
import { Stop } from '../exits.ts'
import { release } from '../release.ts'
import { parseExactly } from './exact.ts'
import type { Get, Importer } from './importer.ts'

const attempts = 10
const timeoutMs = 60_000
const answerCap = 64 * 1024 * 1024
/** A service that asks for a longer wait is asked again by another run. */
const longestWaitMs = 15 * 60_000
const longestBackoffMs = 60_000

export type ServiceOptions = {
  readonly importer: Importer
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly token: string | undefined
  /** Called before a wait of some seconds. */
  readonly onWait: (reason: string, waitMs: number) => void
}

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string }

/** Reads a service: one request at a time, as slowly as it asks for. */
export function readerOf(options: ServiceOptions): Get {
  const { importer, baseUrl, token, onWait } = options
  const headers = {
    accept: 'application/json',
    'user-agent': `exchequer/${release}`,
    ...(token === undefined ? {} : importer.token?.headers(token)),
  }
  const wait = async (reason: string, waitMs: number) => {
    if (waitMs > longestWaitMs) throw asksForTooLong(importer, waitMs)
    if (waitMs >= 3_000) onWait(reason, waitMs)
    await sleep(waitMs)
  }
  return async (path, statusesOfTheEnd = []) => {
    let problem = ''
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const backoffMs = Math.min(500 * 2 ** attempt, longestBackoffMs)
      const answer = await answerTo(`${baseUrl}${path}`, headers)
      if (answer instanceof Error) problem = `can’t be reached: ${answer.message}`
      else if (statusesOfTheEnd.includes(answer.status)) return undefined
      else if (answer.status === 200) {
        const body = bodyOf(answer.text)
        if (body) {
          await wait('limits requests', untilResetMs(answer.headers, Date.now()))
          return body.value
        }
        problem = 'did not return JSON'
      } else if (answer.status === 429) problem = 'limits requests'
      else if (answer.status >= 500) problem = `returned ${answer.status}`
      else throw refusal(importer, answer)
      const askedMs = answer instanceof Error ? 0 : retryAfterMs(answer.headers, importer, Date.now())
      await wait(problem, Math.max(askedMs, askedMs > 0 ? 100 * 2 ** attempt : backoffMs))
    }
    throw new Stop(
      'unreachable',
      `${importer.title} ${problem}, ${attempts} times. Nothing was imported; try again later.`,
    )
  }
}

/** The answer, or why there is none. Redirects are not followed: the token would go with them. */
async function answerTo(url: string, headers: Record<string, string>): Promise<Answer | Error> {
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { headers, redirect: 'manual', signal })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > answerCap) throw new Error(`the answer has more than ${answerCap} bytes`)
      chunks.push(chunk)
    }
    const text = Buffer.concat(chunks).toString('utf8')
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    const { cause, message } = error as Error
    return new Error(cause instanceof Error ? cause.message || cause.name : message)
  }
}

function bodyOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseExactly(text) }
  } catch {
    return undefined
  }
}

/** The wait that Retry-After asks for: a number, or a date. 0 without one. */
export function retryAfterMs(headers: Headers, importer: Importer, nowMs: number): number {
  const text = headers.get('retry-after') ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * (importer.retryAfterMs ?? 1_000))
  const at = Date.parse(text)
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs)
}

/** The wait until more requests are allowed, when this answer says that none are left. */
export function untilResetMs(headers: Headers, nowMs: number): number {
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN)
  if (headers.get('x-ratelimit-remaining') !== '0' || !(reset > 0)) return 0
  // Milliseconds or seconds since 1970, or seconds from now.
  const atMs = reset > 1e11 ? reset : reset > 1e9 ? reset * 1_000 : nowMs + reset * 1_000
  return Math.max(0, atMs - nowMs)
}

function refusal({ title, token, refusals }: Importer, { status }: Answer): Stop {
  const known = refusals?.[status]
  if (known) return new Stop('refused', `${title} returned ${status}. ${known}`)
  if ((status === 401 || status === 403) && token)
    return new Stop('refused', `${title} returned ${status}: check the token. It is ${token.from}.`)
  if (status >= 300 && status < 400)
    return new Stop('refused', `${title} returned ${status}: its address has changed. Give --base-url.`)
  return new Stop('refused', `${title} returned ${status}. Nothing was imported.`)
}

const asksForTooLong = ({ title }: Importer, waitMs: number): Stop =>
  new Stop(
    'unreachable',
    `${title} asks to wait ${Math.ceil(waitMs / 60_000)} minutes. Nothing was imported; try again then.`,
  )
