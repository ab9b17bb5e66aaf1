/** Where the console is: index.html says it in its <base>, as the server was told. */
export type Place = {
  /** The console's own path, such as `/console`. */
  readonly path: string
  /** The server's address, which the interface is under. */
  readonly server: string
}

export function placeOf(baseUri: string): Place {
  const { pathname, origin } = new URL(baseUri)
  const path = pathname.replace(/\/+$/, '')
  return { path, server: origin + path.replace(/\/console$/, '') }
}
