import { fold } from '../fold.ts'
import type { Words } from '../words/en.ts'

/** The actions that the finder takes with a member or an entry: `award ada`, `undo 512`. */
export const verbs = ['award', 'take', 'transfer', 'hold', 'freeze', 'undo'] as const
export type Verb = (typeof verbs)[number]
export type MemberVerb = Exclude<Verb, 'undo'>

/** The action that a text begins with, and the rest of the text: `award ada`. */
export function splitVerb(text: string, words: Words['finder']) {
  const [, first = '', rest = ''] = /^(\S{3,})\s+(.*)$/u.exec(text.trimStart()) ?? []
  const verb =
    first === ''
      ? undefined
      : verbs.find((one) =>
          fold(words.verbs[one])
            .split(' ')
            .some((name) => name.startsWith(fold(first))),
        )
  return { verb, rest: verb === undefined ? '' : rest.trim() }
}
