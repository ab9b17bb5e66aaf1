/** The part that the tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Context = { readonly path: string; status: number; body: unknown; redirect(url: string): void }
  // biome-ignore lint/style/noDefaultExport: it is the package's own
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void
  }
}
