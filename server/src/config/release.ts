import { readFileSync } from 'node:fs'

const manifest: { version: string; engines: { node: string } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The release of this code. */
export const release = manifest.version

/** What to do about a Node that is too old; undefined if it is new enough. */
export function checkNodeVersion(version: string): string | undefined {
  const oldest = manifest.engines.node.replace('>=', '')
  const [least = [], given = []] = [oldest, version].map((text) => text.split('.').map(Number))
  const [major = 0, minor = 0] = least
  const [ourMajor = 0, ourMinor = 0] = given
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return undefined
  return (
    `Exchequer requires Node ${oldest} or newer; this is ${version}. ` +
    'Install Node 24 from https://nodejs.org and run the same command again.'
  )
}
