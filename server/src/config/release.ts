import { readFileSync } from 'node:fs'

const manifest: { version: string; engines: { node: string } } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

/** The release this code is. */
export const release = manifest.version

/** What is to be done about a Node that is too old; undefined for one that fits. */
export function checkNodeVersion(version: string): string | undefined {
  const oldest = manifest.engines.node.replace('>=', '')
  const [least = [], given = []] = [oldest, version].map((text) => text.split('.').map(Number))
  const [major = 0, minor = 0] = least
  const [ourMajor = 0, ourMinor = 0] = given
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return undefined
  return (
    `Exchequer needs Node ${oldest} or newer, and this is ${version}: ` +
    'install Node 24 from https://nodejs.org and run the same command again.'
  )
}
