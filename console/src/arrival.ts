/** What the address says about how somebody came here. It is taken out of the address at once. */
export type Arrival = { readonly link?: string; readonly failed?: string }

const back = 'exchequer.back'

export function arrive(path: string): Arrival {
  const said = new URLSearchParams(location.hash.slice(1))
  const link = said.get('link')
  const failed = said.get('sign-in-failed')
  const here = location.pathname.replace(/\/+$/, '') === path
  const wished = here && failed === null && link === null ? sessionStorage.getItem(back) : null
  // Only ever a path of the console itself.
  if (wished?.startsWith(`${path}/`)) history.replaceState(null, '', wished)
  else if (location.hash) history.replaceState(null, '', location.pathname + location.search)
  if (failed === null) sessionStorage.removeItem(back)
  return { ...(link === null ? {} : { link }), ...(failed === null ? {} : { failed }) }
}

/** Whoever signs in elsewhere comes back to the page that they were on. */
export function rememberPlace(): void {
  sessionStorage.setItem(back, location.pathname + location.search)
}
