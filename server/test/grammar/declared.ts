import type { Route } from '../../src/http/route/route.ts'

/** POSTs that create no readable resource: by the last word of their path. */
const actionWords = new Set(
  (
    'members includes import erasure reversals changes capture release grant cancel reverse rotate ' +
    'challenges links link accept decline operator-token test replay skip rotate-secret undo'
  ).split(' '),
)
/** By their full path: a session token, the page of a link, and what the operator adds. */
const actionPaths = new Set([
  '/console/session/keys',
  '/link/{token}/wallets',
  '/operator/v1/realms/{realmID}/points',
  '/api/v4/realms/{realmID}/web3/awards',
])

export const titleOf = ({ methods, path }: Route): string => `${methods.join('|')} ${path}`

/** What is wrong with how routes are declared. */
export function misdeclared(routes: readonly Route[]): string[] {
  const reads = new Set(routes.filter(({ methods }) => methods.includes('GET')).map(({ path }) => path))
  return routes.flatMap((route) => {
    const { methods, path, creates, deletes, segments } = route
    const isAction = actionWords.has(segments.at(-1) ?? '') || actionPaths.has(path)
    const wrong: [boolean, string][] = [
      [methods.includes('POST') && !creates && !isAction, 'neither creates nor is an action'],
      [methods.includes('PUT') && !creates, 'is a PUT and does not say what it creates'],
      [methods.includes('DELETE') && !deletes, 'is a DELETE and does not say so'],
      [creates !== undefined && isAction, 'creates, and is in the list of actions'],
      [creates !== undefined && !reads.has(creates), 'creates what can’t be read'],
    ]
    return wrong.flatMap(([is, words]) => (is ? [`${titleOf(route)} ${words}`] : []))
  })
}
