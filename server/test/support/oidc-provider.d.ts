/** What the tests use of it; the package brings no types. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  // biome-ignore lint/style/noDefaultExport: it is the package's own
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
  }
}
