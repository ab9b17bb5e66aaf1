import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { type Block, blocksOf, isRunByCi } from './blocks.ts'
import { pages, root } from './pages.ts'
import { Session } from './session.ts'
import { World } from './world.ts'

/**
 * npm run docs: builds the guide, checks its links, and runs every shell block that does not say why
 * not. With arguments, only the blocks of pages whose path contains one: npm run docs -- start
 */
const names = process.argv.slice(2)
let passed = 0
let failed = 0

function report(ok: boolean, what: string, said = ''): void {
  if (ok) passed++
  else failed++
  console.log(`  ${ok ? 'ok    ' : 'FAILED'} ${what}`)
  if (!ok && said) console.log(said.replaceAll(/^/gm, '         '))
}

/** In its own process, as VitePress sets NODE_ENV, which the servers below would inherit. */
function checkSite(): void {
  const built = spawnSync(process.execPath, [`${root}site/build.ts`], { cwd: root, encoding: 'utf8' })
  const lines = built.stdout.trimEnd().split('\n')
  report(built.status === 0, `the site: ${lines.at(-1)}`, built.stdout + built.stderr)
  const known = new Set(pages.map(({ file }) => file))
  const lost = globSync('docs/**/*.md', { cwd: root }).filter((file) => !known.has(file))
  report(lost.length === 0, 'every page of docs/ is in the navigation', lost.join('\n'))
  for (const line of lines.filter((one) => one.startsWith('external'))) console.log(`  ${line}`)
}

async function runPage(world: World, file: string, blocks: readonly Block[]): Promise<void> {
  const session = await Session.open(world, file, blocks)
  try {
    for (const block of blocks) {
      const { ok, said } = await session.run(block)
      report(ok, `${file}: block ${block.number}`, `${block.text}\n${said}`)
      // The next block depends on it.
      if (!ok) return
    }
  } finally {
    await session.close()
  }
}

/** Builds what a reader with a clone has built at this point. */
function buildPackages(): void {
  const built = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: root,
    encoding: 'utf8',
  })
  report(built.status === 0, 'the packages build', built.stdout + built.stderr)
}

const files = [...new Set(['README.md', ...pages.map(({ file }) => file)])]
const chosen = files.filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
const blocks = chosen.flatMap(blocksOf)
checkSite()
for (const { page, number, words } of blocks.filter(({ run }) => run === 'by'))
  if (!isRunByCi(words)) report(false, `${page}: block ${number} is run by ${words}, which CI does not run`)
buildPackages()
const world = await World.open()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void world.close().finally(() => process.exit(1)))
try {
  for (const file of chosen) {
    const own = blocks.filter(({ page, run }) => page === file && (run === 'here' || run === 'until stopped'))
    if (own.length > 0) await runPage(world, file, own)
  }
} finally {
  await world.close()
}
console.log(`  ${blocks.filter(({ run }) => run === 'by').length} blocks are run by other steps of CI`)
for (const { page, number, words } of blocks.filter(({ run }) => run === 'not'))
  console.log(`  not run: block ${number} of ${page}: ${words}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
