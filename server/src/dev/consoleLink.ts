/** The operator that `exchequer dev` signs in. */
const name = 'Demo operator'

type Person = { readonly id: string; readonly name: string | null; readonly signsInBy: string }

/** A one-time link that signs in to the console; undefined where the console is not built. */
export async function consoleLink(url: string, token: string): Promise<string | undefined> {
  const page = await fetch(`${url}/console/`)
  await page.arrayBuffer()
  if (page.status !== 200) return undefined
  const people = `${url}/operator/v1/people`
  const { data: known } = await ask<{ data: readonly Person[] }>(`${people}?limit=1000`, token)
  const again = known.find((one) => one.name === name && one.signsInBy === 'link')
  const { link } = again
    ? await ask<{ link: string }>(`${people}/${again.id}/link`, token, {})
    : await ask<{ link: string }>(`${url}/operator/v1/invitations`, token, { name })
  return link
}

async function ask<T>(url: string, token: string, body?: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
