/** The console's base URL, which the server writes into the <base> of index.html. */
export type Place = {
  /** The console's own path, such as `/console`. */
  readonly path: string
  /** The server's address, the base of the API. */
  readonly server: string
}

export function placeOf(baseUri: string): Place {
  const { pathname, origin } = new URL(baseUri)
  const path = pathname.replace(/\/+$/, '')
  return { path, server: origin + path.replace(/\/console$/, '') }
}
