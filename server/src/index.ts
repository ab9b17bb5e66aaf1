import { checkNodeVersion } from './config/release.ts'

/**
 * The exports for other packages. Nothing else is loaded before the version of Node is checked: an older one
 * would fail on the first missing feature, with an unhelpful error.
 */
async function onFittingNode(work: () => Promise<number>): Promise<number> {
  const lack = checkNodeVersion(process.versions.node)
  if (lack === undefined) return work()
  console.error(lack)
  return 1
}

/** The operator's command line: `serve`, `migrate`, `verify` and more. Returns its exit code. */
export function main(args: readonly string[]): Promise<number> {
  return onFittingNode(async () => (await import('./commands/index.ts')).run(args))
}

/**
 * Runs PostgreSQL, a server and a demo realm until it is stopped. Returns its exit code. `home` is the
 * `import.meta.url` of the package that contains PostgreSQL.
 */
export function dev(args: readonly string[], home: string): Promise<number> {
  return onFittingNode(async () => (await import('./dev/dev.ts')).dev(args, { home }))
}
