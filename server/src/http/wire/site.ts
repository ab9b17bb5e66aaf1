import type { IncomingHttpHeaders } from 'node:http'

export type SiteSettings = {
  /** Where browsers reach this server, when that is known: scheme, host and port. */
  readonly publicOrigin: string | undefined
  /** What stands before our paths. */
  readonly basePath: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** Where this server is, as a browser sees it. */
export class Site {
  readonly #publicOrigin: string | undefined
  readonly basePath: string

  constructor({ publicOrigin, basePath }: SiteSettings) {
    this.#publicOrigin = publicOrigin
    this.basePath = basePath
  }

  /** TLS is a proxy's task, so it is not seen here: plain HTTP is for one's own machine alone. */
  isSecure({ host = '' }: IncomingHttpHeaders): boolean {
    return this.#publicOrigin ? this.#publicOrigin.startsWith('https:') : !loopback.test(host)
  }

  origin(headers: IncomingHttpHeaders): string {
    return this.#publicOrigin ?? `${this.isSecure(headers) ? 'https' : 'http'}://${headers.host ?? ''}`
  }

  /**
   * A one-time link: behind a # it reaches no log, and no preview of a chat uses it up. Anybody can write
   * anything as Host: without a public URL a link leads to this machine, and repeats nothing else.
   */
  linkOf(token: string, headers: IncomingHttpHeaders): string {
    const { host = '' } = headers
    const origin = this.#publicOrigin ?? `http://${loopback.test(host) ? host : 'localhost'}`
    return `${origin}${this.basePath}/console/#link=${token}`
  }
}
