import { existsSync } from 'node:fs'
import { read, root } from './pages.ts'

/** A shell block of a page, and how it is run. */
export type Block = {
  readonly page: string
  readonly number: number
  readonly text: string
  readonly run: 'here' | 'until stopped' | 'by' | 'not'
  /** Why it is not run, or which command runs it. */
  readonly words: string
}

/**
 * Comments that may precede a block. The reason is also shown to the reader:
 *   not run: REASON | run by COMMAND | runs until you stop it
 * For all blocks of a page: blocks of this page are run by COMMAND
 */
const marks: readonly (readonly [RegExp, Block['run']])[] = [
  [/^not run: (.+)$/, 'not'],
  [/^run by (.+)$/, 'by'],
  [/^quickstart: (\S+) runs these/, 'by'],
  [/^(runs until you stop it)$/, 'until stopped'],
]

function markOf(comment: string): Pick<Block, 'run' | 'words'> {
  for (const [pattern, run] of marks) {
    const [, words] = pattern.exec(comment) ?? []
    if (words !== undefined) return { run, words }
  }
  return { run: 'here', words: '' }
}

/** The shell blocks of a page, in their order. */
export function blocksOf(page: string): Block[] {
  const text = read(page)
  const [, all] = /<!-- blocks of this page are run by (.+?) -->/.exec(text) ?? []
  const pattern = /(?:<!-- ((?:(?!-->)[\s\S])*?) -->\n+)?^```(?:sh|bash|shell)\n([\s\S]*?)^```$/gm
  return [...text.matchAll(pattern)].map(([, comment = '', code = ''], index) => ({
    page,
    number: index + 1,
    text: code,
    ...(all === undefined ? markOf(comment.trim()) : { run: 'by', words: all }),
  }))
}

/** Whether CI runs the command that a comment names: a script of the project, or an npm script. */
export function isRunByCi(command: string): boolean {
  const [, script] = /^npm run (\S+)$/.exec(command) ?? []
  const steps = read('.ci/run')
  if (script !== undefined) return new RegExp(`npm run --silent ${script}( |$)`, 'm').test(steps)
  return existsSync(root + command) && steps.includes(command)
}
