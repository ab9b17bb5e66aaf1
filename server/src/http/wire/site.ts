import type { IncomingHttpHeaders } from 'node:http'

export type SiteSettings = {
  /** The origin under which browsers reach this server, if known: scheme, host and port. */
  readonly publicOrigin: string | undefined
  /** The prefix of our paths. */
  readonly basePath: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

/** This server's URL, as a browser sees it. */
export class Site {
  readonly #publicOrigin: string | undefined
  readonly basePath: string

  constructor({ publicOrigin, basePath }: SiteSettings) {
    this.#publicOrigin = publicOrigin
    this.basePath = basePath
  }

  /** A proxy terminates TLS, so the server can't see it: plain HTTP is for localhost only. */
  isSecure({ host = '' }: IncomingHttpHeaders): boolean {
    return this.#publicOrigin ? this.#publicOrigin.startsWith('https:') : !loopback.test(host)
  }

  origin(headers: IncomingHttpHeaders): string {
    return this.#publicOrigin ?? `${this.isSecure(headers) ? 'https' : 'http'}://${headers.host ?? ''}`
  }

  /**
   * A one-time link. After a # the token reaches no log, and no chat preview uses it up. Any client can send
   * any Host header: without a public URL the link points to this machine, whatever was sent.
   */
  linkOf(token: string, headers: IncomingHttpHeaders): string {
    const { host = '' } = headers
    const origin = this.#publicOrigin ?? `http://${loopback.test(host) ? host : 'localhost'}`
    return `${origin}${this.basePath}/console/#link=${token}`
  }
}
