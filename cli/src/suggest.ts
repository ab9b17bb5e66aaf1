import type { Command } from './command.ts'
import { nearest } from './nearest.ts'
import { otherWords, verbSynonyms } from './vocabulary.ts'

const own = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** The most likely noun or one-word command. */
function nounOf(word: string, firsts: readonly string[]): string | undefined {
  if (firsts.includes(word)) return word
  const plural = [`${word}s`, word.replace(/y$/, 'ies')].find((one) => firsts.includes(one))
  return plural ?? own(otherWords, word) ?? nearest(word, firsts)
}

function verbOf(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return word
  return own(verbSynonyms, word)?.find((one) => known.includes(one)) ?? nearest(word, known)
}

/** The most likely command, or only its noun; undefined when nothing is near. */
export function suggestion(asked: readonly string[], commands: readonly Command[]): string | undefined {
  const firsts = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))]
  const inOrder = (first: string, second = ''): string | undefined => {
    const noun = nounOf(first, firsts)
    if (noun === undefined || noun.includes(' ')) return noun
    const under = commands.flatMap(({ words }) =>
      words.startsWith(`${noun} `) ? [words.slice(noun.length + 1)] : [],
    )
    // A noun with a single verb: `leaderboard`.
    const verb = second === '' && under.length === 1 ? under[0] : verbOf(second, under)
    return verb === undefined ? noun : `${noun} ${verb}`
  }
  const [first = '', second = ''] = asked
  const straight = inOrder(first, second)
  if (straight?.includes(' ')) return straight
  // The word order of other tools: `create realm`.
  const turned = second === '' ? undefined : inOrder(second, first)
  return turned?.includes(' ') ? turned : straight
}
