import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { buildah } from './buildah.ts'
import { project, run } from './program.ts'

/** Of a machine, by the names that Debian and container engines have for it, and by Node's. */
export const machines = { amd64: 'x64', arm64: 'arm64' } as const
export type Machine = keyof typeof machines

/** The machine that a program is for, by the header of its file. */
export function machineOf(file: string): Machine | 'no known machine' {
  const header = Buffer.alloc(20)
  const opened = openSync(file, 'r')
  readSync(opened, header)
  closeSync(opened)
  if (header.toString('latin1', 0, 4) !== '\x7fELF') return 'no known machine'
  return { 62: 'amd64' as const, 183: 'arm64' as const }[header.readUInt16LE(18)] ?? 'no known machine'
}

export const thisMachine: Machine = process.arch === 'arm64' ? 'arm64' : 'amd64'

/**
 * An image that stands in for node:24-slim where no registry can be reached, for this machine or another one:
 * the files of Debian's own packages, and Node from its npm package. No program of it is run to make it. It
 * has no address of a mirror.
 */
export function makeBase(name: string, machine: Machine, folder: string): void {
  const root = join(folder, `base-${machine}`)
  extractDebian(root, machine)
  addUser(root)
  const local = join(root, 'usr/local')
  mkdirSync(join(local, 'bin'), { recursive: true })
  copyFileSync(nodeOf(machine, folder), join(local, 'bin/node'))
  if (machine === thisMachine) addNpm(local)
  const container = buildah('from', 'scratch')
  run('cp', ['-a', `${root}/.`, buildah('mount', container)])
  buildah('config', '--arch', machine, '--os', 'linux', container)
  buildah('commit', '--quiet', '--rm', container, name)
  rmSync(root, { recursive: true })
}

/** Unpacked, not configured: the system of the images does not start a service. */
function extractDebian(root: string, machine: Machine): void {
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'stable'
  const listed = run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(CODENAME) $(COMPONENT)'])
  const [mirror] = listed.split('\n').filter((line) => line.endsWith(` ${suite} main`))
  const uri = mirror?.split(' ')[0] ?? 'http://deb.debian.org/debian'
  const words = ['--foreign', '--variant=minbase', `--arch=${machine}`, suite, root, uri]
  run('debootstrap', words, { timeout: 600_000 })
  const archives = join(root, 'var/cache/apt/archives')
  const unpack = 'for one; do dpkg-deb --fsys-tarfile "$one" | tar -xC "$0" --keep-directory-symlink; done'
  const packages = readdirSync(archives).filter((file) => file.endsWith('.deb'))
  run('sh', ['-ec', unpack, root, ...packages.map((file) => join(archives, file))], { timeout: 600_000 })
  const ofThisMachine = [
    'debootstrap',
    'var/cache/apt',
    'var/lib/apt',
    'etc/apt',
    'etc/resolv.conf',
    'etc/hostname',
  ]
  for (const path of ofThisMachine) rmSync(join(root, path), { recursive: true, force: true })
  // Empty: some machines get links to their own.
  for (const path of ['dev', 'proc', 'sys']) {
    rmSync(join(root, path), { recursive: true, force: true })
    mkdirSync(join(root, path))
  }
}

/** The user node, as in node:24-slim. */
function addUser(root: string): void {
  const masters = join(root, 'usr/share/base-passwd')
  copyFileSync(join(masters, 'passwd.master'), join(root, 'etc/passwd'))
  copyFileSync(join(masters, 'group.master'), join(root, 'etc/group'))
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n')
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n')
  const home = join(root, 'home/node')
  mkdirSync(home, { recursive: true })
  chownSync(home, 1000, 1000)
}

type Locked = { readonly packages: Record<string, { readonly version: string; readonly integrity: string }> }

/** Node's program for a machine: installed here, or from its package, whose hash package-lock.json has. */
function nodeOf(machine: Machine, folder: string): string {
  const path = `node_modules/node-linux-${machines[machine]}`
  const installed = join(project, path, 'bin/node')
  if (existsSync(installed)) return installed
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Locked
  const { version, integrity } = lock.packages[path] ?? { version: '', integrity: '' }
  const name = `${path.slice('node_modules/'.length)}@${version}`
  const file = join(folder, run('npm', ['pack', '--silent', name], { cwd: folder, timeout: 600_000 }).trim())
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64')
  if (`sha512-${hash}` !== integrity) throw new Error(`${name} is not what package-lock.json says`)
  run('tar', ['-xzf', file, '-C', folder])
  return join(folder, 'package/bin/node')
}

/** npm as it is on this machine. */
function addNpm(local: string): void {
  const program = realpathSync(run('which', ['npm']).trim())
  const modules = join(local, 'lib/node_modules')
  mkdirSync(modules, { recursive: true })
  cpSync(dirname(dirname(program)), join(modules, 'npm'), { recursive: true, dereference: true })
  for (const name of ['npm', 'npx'])
    run('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name)])
}
