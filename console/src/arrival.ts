/** What the address says about how somebody came here. It is taken out of the address at once. */
export type Arrival = { readonly link?: string; readonly failed?: string }

const back = 'exchequer.back'

export const isLink = (hash: string): boolean => new URLSearchParams(hash.slice(1)).has('link')

export function arrive(path: string): Arrival {
  const said = new URLSearchParams(location.hash.slice(1))
  const link = said.get('link')
  const failed = said.get('sign-in-failed')
  const here = location.pathname.replace(/\/+$/, '') === path
  // Who has failed, or is still to sign in by the link, goes back later.
  const wished = failed === null && link === null ? wayBack(path) : undefined
  if (here && wished !== undefined) history.replaceState(null, '', wished)
  else if (location.hash) history.replaceState(null, '', location.pathname + location.search)
  return { ...(link === null ? {} : { link }), ...(failed === null ? {} : { failed }) }
}

/** Where somebody was before they had to sign in, once. Only ever a path of the console itself. */
export function wayBack(path: string): string | undefined {
  const wished = sessionStorage.getItem(back)
  sessionStorage.removeItem(back)
  return wished?.startsWith(`${path}/`) ? wished : undefined
}

/** Whoever signs in comes back to the page that they were on. */
export function rememberPlace(): void {
  sessionStorage.setItem(back, location.pathname + location.search)
}
