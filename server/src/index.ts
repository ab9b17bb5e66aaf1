import { checkNodeVersion } from './config/release.ts'

/**
 * What other packages use of this one. Nothing else is loaded before Node is known to be new enough: an older
 * one would stumble over the first thing that it lacks, and say nothing of use.
 */
async function onFittingNode(work: () => Promise<number>): Promise<number> {
  const lack = checkNodeVersion(process.versions.node)
  if (lack === undefined) return work()
  console.error(lack)
  return 1
}

/** The command line of the operator of the database: `serve`, `migrate`, `verify` … Returns its exit code. */
export function main(args: readonly string[]): Promise<number> {
  return onFittingNode(async () => (await import('./commands/index.ts')).run(args))
}

/**
 * PostgreSQL, a server and a demo realm, until it is told to stop. Returns its exit code. `home` is the
 * `import.meta.url` of the package that PostgreSQL came with.
 */
export function dev(args: readonly string[], home: string): Promise<number> {
  return onFittingNode(async () => (await import('./dev/dev.ts')).dev(args, { home }))
}
