import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../errors.ts'
import type { Caller, KeySecret } from '../../keys/index.ts'
import type { Log, Reply } from '../problem.ts'
import type { SendRequest } from './inner.ts'

/** The part of @exchequer/mcp that is used here. */
type Mcp = {
  answer(
    request: Request,
    text: string,
    options: {
      readonly realmId: string
      readonly scopes: ReadonlySet<string>
      readonly fetch: SendRequest
      readonly allowWrites: boolean
      readonly plans: { readonly secrets: readonly Uint8Array[]; readonly holder: string }
      readonly log: (text: string) => void
    },
  ): Promise<Response>
}

type AssistantOptions = {
  /** Which keys may change points: none, those with a limit of points per day, or all with the scopes. */
  readonly writes: 'off' | 'limited' | 'on'
  readonly secrets: readonly KeySecret[]
  /** Origins whose pages may send requests. */
  readonly origins: readonly string[]
  readonly log: Log
}

type Asked = {
  readonly caller: Caller
  readonly text: string
  readonly headers: IncomingHttpHeaders
  readonly send: SendRequest
}

const packageName = '@exchequer/mcp'
/** The headers that the protocol reads. */
const read = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Serves assistants by the Model Context Protocol, with the key of the request. */
export class Assistants {
  readonly #options: AssistantOptions
  readonly #planSecrets: readonly Buffer[]
  readonly #origins: ReadonlySet<string>
  #loading: Promise<Mcp> | undefined

  constructor(options: AssistantOptions) {
    this.#options = options
    this.#origins = new Set(options.origins)
    // Every process of the installation has these secrets: each verifies the plans of the others.
    this.#planSecrets = options.secrets.map(({ secret }) =>
      createHmac('sha256', secret).update('sign plans of assistants').digest(),
    )
  }

  async answer({ caller, text, headers, send }: Asked): Promise<Reply> {
    this.#checkOrigin(headers)
    const mcp = await this.#load()
    const sent = new Headers()
    for (const name of read) if (headers[name] !== undefined) sent.set(name, String(headers[name]))
    const request = new Request('http://localhost/mcp', { method: 'POST', headers: sent })
    const response = await mcp.answer(request, text, {
      realmId: caller.realmId,
      scopes: caller.scopes,
      fetch: send,
      allowWrites: this.#mayWrite(caller),
      plans: { secrets: this.#planSecrets, holder: holderOf(caller) },
      log: (why) => this.#options.log.error({ realm: caller.realmId, why }, 'a tool of an assistant failed'),
    })
    return { status: response.status, body: await response.text() }
  }

  #mayWrite({ bounds }: Caller): boolean {
    const { writes } = this.#options
    return writes === 'on' || (writes === 'limited' && bounds?.moves?.maxPerDay != null)
  }

  /** A page whose name was pointed at this server could otherwise use a key that it has seen. */
  #checkOrigin({ origin }: IncomingHttpHeaders): void {
    if (origin === undefined || this.#origins.has(origin)) return
    throw refuse('forbidden', 'The request came from a page of another site. Add its origin to CORS_ORIGINS.')
  }

  /** On first use: the protocol's library takes 35 MiB of memory. */
  #load(): Promise<Mcp> {
    this.#loading ??= loadMcp().catch((error: unknown) => {
      this.#loading = undefined
      throw error
    })
    return this.#loading
  }
}

/** A plan is only for the key that made it. */
const holderOf = ({ realmId, key }: Caller): string => JSON.stringify([realmId, key])

async function loadMcp(): Promise<Mcp> {
  const name = `${packageName}/http`
  try {
    return (await import(name)) as Mcp
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes('mcp')) throw error
    throw refuse('not_set_up', `The package ${packageName} is not installed. In a clone, run npm run build.`)
  }
}
