import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { project, run } from './program.ts'

export const dockerfile = readFileSync(join(project, 'Dockerfile'), 'utf8')

/** The JSON form of an instruction. */
export function wordsOf(instruction: string): string[] {
  const [, words] = new RegExp(`^(?: {2})?${instruction} (\\[.*\\])$`, 'm').exec(dockerfile) ?? []
  if (words === undefined) throw new Error(`the Dockerfile has no ${instruction}`)
  return JSON.parse(words) as string[]
}

/**
 * Builds each stage in its own folder by FROM, WORKDIR, COPY and RUN; returns the folder of the last stage.
 * Base images are not used, so RUN can use only paths below its folder.
 */
export function layOut(folder: string): string {
  let root = folder
  let at = '/'
  for (const line of dockerfile.replaceAll(/\\\n\s*/g, '').split('\n')) {
    const [, instruction = '', rest = ''] = /^(FROM|WORKDIR|COPY|RUN) (.*)$/.exec(line) ?? []
    if (instruction === 'FROM') root = join(folder, / AS (\w+)$/.exec(rest)?.[1] ?? 'image')
    if (instruction === 'WORKDIR') at = rest
    if (instruction === 'RUN') run('sh', ['-c', rest], { cwd: join(root, at), timeout: 600_000 })
    if (instruction === 'COPY') copy(rest, { folder, root, at })
    mkdirSync(join(root, at), { recursive: true })
  }
  return root
}

type Stage = { readonly folder: string; readonly root: string; readonly at: string }

function copy(rest: string, { folder, root, at }: Stage): void {
  const words = rest.split(' ')
  const stage = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined
  const to = words.pop() ?? ''
  const target = to.startsWith('/') ? join(root, to) : join(root, at, to)
  for (const word of words) {
    const source = stage === undefined ? join(project, word) : join(folder, stage, word)
    const filter = (file: string) => stage !== undefined || isSent(relative(project, file))
    if (!filter(source)) throw new Error(`.dockerignore keeps ${word} from the builder`)
    const isFile = statSync(source).isFile()
    const options = { recursive: true, verbatimSymlinks: true, filter }
    cpSync(source, isFile && /(^|\/)\.?$/.test(to) ? join(target, basename(word)) : target, options)
  }
}

const ignored = readFileSync(join(project, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** Applies .dockerignore: the last line that matches a file, or a folder it is in, decides. */
function isSent(file: string): boolean {
  if (ignored.some((line) => line.startsWith(`!${file}/`))) return true
  const last = ignored.findLast((line) => {
    const pattern = line.replace(/^!/, '')
    if (pattern === '*') return true
    if (pattern.startsWith('**/')) return file.split('/').includes(pattern.slice('**/'.length))
    return file === pattern || file.startsWith(`${pattern}/`)
  })
  return last === undefined || last.startsWith('!')
}
