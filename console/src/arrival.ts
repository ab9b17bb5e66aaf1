/** What the URL says about how the user arrived. It is removed from the URL immediately. */
export type Arrival = { readonly link?: string; readonly failed?: string }

const back = 'exchequer.back'

export const isLink = (hash: string): boolean => new URLSearchParams(hash.slice(1)).has('link')

export function arrive(path: string): Arrival {
  const said = new URLSearchParams(location.hash.slice(1))
  const link = said.get('link')
  const failed = said.get('sign-in-failed')
  const here = location.pathname.replace(/\/+$/, '') === path
  // After a failure, or before the link is used, the return happens later.
  const wished = failed === null && link === null ? wayBack(path) : undefined
  if (here && wished !== undefined) history.replaceState(null, '', wished)
  else if (location.hash) history.replaceState(null, '', location.pathname + location.search)
  return { ...(link === null ? {} : { link }), ...(failed === null ? {} : { failed }) }
}

/** Where the user was before signing in; read once. Only ever a path of the console itself. */
export function wayBack(path: string): string | undefined {
  const wished = sessionStorage.getItem(back)
  sessionStorage.removeItem(back)
  return wished?.startsWith(`${path}/`) ? wished : undefined
}

/** After signing in, users return to the page they were on. */
export function rememberPlace(): void {
  sessionStorage.setItem(back, location.pathname + location.search)
}
