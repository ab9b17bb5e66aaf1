import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The files that Git has or would add; not those that are built or ignored. */
function projectFiles(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const list = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
  return list.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}

/** Copies the project as a fresh clone has it; the installed packages are links to those of this folder. */
export function copyProject(to: string): void {
  for (const file of projectFiles()) {
    const target = join(to, file)
    mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, file), target)
    // npm packs a file with the mode that it has: here that of Git, whatever the umask was.
    chmodSync(target, (lstatSync(join(root, file)).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  for (const folder of ['.', ...workspaces]) linkPackages(join(folder, 'node_modules'), to)
}

function linkPackages(folder: string, to: string): void {
  if (!existsSync(join(root, folder))) return
  mkdirSync(join(to, folder))
  for (const name of readdirSync(join(root, folder))) {
    const [from, link] = [join(root, folder, name), join(to, folder, name)]
    // Links lead to packages of the project: in the copy, to those of the copy.
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), link)
    else if (name === '@exchequer') linkPackages(join(folder, name), to)
    else if (!/^\.(cache|vite-temp)$/.test(name)) symlinkSync(from, link)
  }
}
