import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { copyProject } from '../packages/fresh.ts'

/** The project in a repository of its own. */
class Clone {
  readonly folder = mkdtempSync(join(tmpdir(), 'exchequer-release-test-'))
  readonly #env: NodeJS.ProcessEnv

  constructor() {
    const names = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'Test'],
      [`GIT_${role}_EMAIL`, 'test@example.com'],
    ])
    this.#env = { ...process.env, ...Object.fromEntries(names) }
    copyProject(this.folder)
    this.git('init', '--quiet')
    this.commit()
    this.git('branch', 'first')
  }

  #run(program: string, args: readonly string[]) {
    return spawnSync(program, args, { cwd: this.folder, env: this.#env, encoding: 'utf8' })
  }

  git(...args: readonly string[]): string {
    const { status, stdout, stderr } = this.#run('git', ['-c', 'core.hooksPath=/dev/null', ...args])
    assert.equal(status, 0, stderr)
    return stdout.trim()
  }

  commit(): void {
    this.git('add', '--all')
    this.git('commit', '--quiet', '--message', 'change')
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8')
  }

  replace(file: string, from: string | RegExp, to: string): void {
    const text = this.read(file)
    assert.notEqual(text.replace(from, to), text, file)
    writeFileSync(join(this.folder, file), text.replace(from, to))
  }

  release(...args: readonly string[]) {
    return this.#run(process.execPath, ['.ci/release/run.ts', ...args])
  }

  /** What it prints when it refuses. */
  refusal(...args: readonly string[]): string {
    const { status, stdout, stderr } = this.release(...args)
    assert.deepEqual([status, stdout], [1, ''], stderr)
    return stderr
  }

  /** The output, and the files that it kept. */
  success(...args: readonly string[]) {
    const kept = mkdtempSync(join(tmpdir(), 'exchequer-release-kept-'))
    try {
      const { status, stdout, stderr } = this.release('--into', kept, ...args)
      assert.equal(status, 0, stderr)
      return { stdout, files: readdirSync(kept) }
    } finally {
      rmSync(kept, { recursive: true })
    }
  }
}

const clone = new Clone()
const { version } = JSON.parse(clone.read('package.json')) as { version: string }
after(() => rmSync(clone.folder, { recursive: true, force: true }))
beforeEach(() => clone.git('reset', '--quiet', '--hard', 'first'))
const prefix = 'Not ready for a release: '
const other = (place: string) => `${place} has version 9.9.9, but package.json has ${version}.`

describe('npm run release refuses', () => {
  it('a package with another version, in one sentence', () => {
    clone.replace('clients/mcp/package.json', `"version": "${version}"`, '"version": "9.9.9"')
    clone.commit()
    assert.equal(clone.refusal(), `${prefix}${other('clients/mcp/package.json')}\n`)
  })

  it('another version of a dependency, the image, the chart, a client and the changes', () => {
    clone.replace('cli/package.json', `"@exchequer/sdk": "${version}"`, '"@exchequer/sdk": "9.9.9"')
    clone.replace('Dockerfile', `ARG VERSION=${version}`, 'ARG VERSION=9.9.9')
    clone.replace('deploy/helm/exchequer/Chart.yaml', `appVersion: ${version}`, 'appVersion: 9.9.9')
    clone.replace('clients/python/pyproject.toml', `version = "${version}"`, 'version = "9.9.9"')
    clone.replace('CHANGELOG.md', '## [Unreleased]', '## [Unreleased]\n\n## [9.9.9] - 2026-01-01')
    clone.commit()
    const places = [
      '@exchequer/sdk among the dependencies of cli/package.json',
      'Dockerfile',
      'the appVersion in deploy/helm/exchequer/Chart.yaml',
      'clients/python/pyproject.toml',
    ]
    const changes = `The newest version in CHANGELOG.md is 9.9.9, but package.json has ${version}.`
    assert.equal(clone.refusal(), `${prefix}${[...places.map(other), changes].join('\n')}\n`)
  })

  it('a tree that is not clean, and a tag that exists', () => {
    writeFileSync(join(clone.folder, 'notes.txt'), '')
    assert.equal(clone.refusal(), `${prefix}The tree is not clean: commit or remove notes.txt.\n`)
    rmSync(join(clone.folder, 'notes.txt'))
    clone.git('tag', `v${version}`)
    assert.equal(clone.refusal(), `${prefix}The tag v${version} already exists.\n`)
    clone.git('tag', '--delete', `v${version}`)
  })

  it('to set a tag while CHANGELOG.md has no dated heading', () => {
    const [heading] = new RegExp(`^## \\[${version}\\].*\n`, 'm').exec(clone.read('CHANGELOG.md')) ?? []
    if (heading !== undefined) {
      clone.replace('CHANGELOG.md', heading, '')
      clone.commit()
    }
    const expected = `CHANGELOG.md has no heading "## [${version}] - YYYY-MM-DD".`
    assert.equal(clone.refusal('--tag'), `${prefix}${expected}\n`)
  })
})

describe('npm run release', () => {
  it('prints what would be published, and changes nothing', () => {
    const { stdout, files } = clone.success()
    const names = ['sdk', 'server', 'mcp', 'discord-bot'].map((name) => `@exchequer/${name}`)
    for (const name of [...names, 'exchequer', 'bill of materials']) {
      const row = new RegExp(`^${name} +(\\S+) +(\\S+) +\\d+ kB +[0-9a-f]{64}$`, 'm')
      const [, found, file = ''] = row.exec(stdout) ?? []
      assert.equal(found, version, stdout)
      assert.ok(files.includes(file), file)
    }
    assert.ok(stdout.endsWith(`The tag v${version} is not set: --tag sets it.\nNothing was published.\n`))
    assert.deepEqual([clone.git('tag'), clone.git('status', '--porcelain')], ['', ''])
  })
})
