import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { read, root } from '../pages.ts'

/** Files about the project that repeat what other files decide. */

type Manifest = { readonly version: string; readonly engines: { readonly node: string } }
const manifest = (file: string) => JSON.parse(read(file)) as Manifest
const tracked = (pattern: string): string[] =>
  execFileSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' }).trim().split('\n')

describe('the project', () => {
  it('promises in docs/stability.md the versions of Node that the packages require', () => {
    const page = read('docs/stability.md')
    for (const [folder, name] of [
      ['server', '`@exchequer/server`'],
      ['cli', '`exchequer`, the command line'],
      ['sdk', '`@exchequer/sdk`'],
      ['clients/discord-bot', '`@exchequer/discord-bot`'],
      ['clients/mcp', '`@exchequer/mcp`'],
    ]) {
      const node = manifest(`${folder}/package.json`).engines.node.replace('>=', '')
      assert.ok(page.includes(`| ${name} | ${node} and newer |`), `${name}: ${node}`)
    }
  })

  it('has one version in all packages', () => {
    const { version } = manifest('package.json')
    for (const folder of ['server', 'sdk', 'cli', 'clients/discord-bot', 'clients/mcp'])
      assert.equal(manifest(`${folder}/package.json`).version, version, folder)
    assert.ok(read('clients/python/pyproject.toml').includes(`\nversion = "${version}"\n`), 'python')
    assert.ok(read('clients/csharp/Exchequer.csproj').includes(`<Version>${version}</Version>`), 'csharp')
    assert.ok(read('docs/stability.md').includes(`Exchequer is at ${version} `), 'docs/stability.md')
  })

  it('compares itself by the figures of the README', () => {
    const [, usual = '', own = ''] = /([\d,]+) awards a second where Exchequer does ([\d,]+)/.exec(
      read('docs/comparison.md'),
    ) ?? ['', '', '']
    assert.ok(read('README.md').includes(`**${own}** awards a second`), own)
    assert.ok(read('README.md').includes(`does ${usual} awards a second`), usual)
  })

  it('has a workflow that runs .ci/run, and updates for every lock file', () => {
    assert.match(read('.github/workflows/ci.yml'), /^ +run: bash \.ci\/run$/m)
    const listed = [...read('.github/dependabot.yml').matchAll(/^ {6}- (\/\S*)$/gm)].map(([, path]) => path)
    const locked = tracked('*package-lock.json').map(
      (file) => `/${file.replace(/\/?package-lock\.json$/, '')}`,
    )
    assert.deepEqual(listed, locked.sort())
  })

  it('names no e-mail address, as reports come by the form of the repository', () => {
    const files = ['SECURITY.md', 'CODE_OF_CONDUCT.md', 'SUPPORT.md', 'GOVERNANCE.md', ...tracked('.github')]
    for (const file of files) assert.doesNotMatch(read(file), /[\w.-]+@[\w-]+\.[a-z]{2,}/, file)
    assert.match(read('SECURITY.md'), /\*\*Report a vulnerability\*\*/)
  })
})
