import type { Command } from './command.ts'
import { nearest } from './nearest.ts'
import { otherWords, verbSynonyms } from './vocabulary.ts'

const own = <T>(table: Readonly<Record<string, T>>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined

/** The noun, or the command of one word, that was likely meant. */
function nounOf(word: string, firsts: readonly string[]): string | undefined {
  if (firsts.includes(word)) return word
  const plural = [`${word}s`, word.replace(/y$/, 'ies')].find((one) => firsts.includes(one))
  return plural ?? own(otherWords, word) ?? nearest(word, firsts)
}

function verbOf(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return word
  return own(verbSynonyms, word)?.find((one) => known.includes(one)) ?? nearest(word, known)
}

/** The command that was likely meant, as far as it can be known; undefined when nothing is near. */
export function suggestion(asked: readonly string[], commands: readonly Command[]): string | undefined {
  const firsts = [...new Set(commands.map(({ words }) => words.split(' ')[0] ?? ''))]
  const inOrder = (first: string, second = ''): string | undefined => {
    const noun = nounOf(first, firsts)
    if (noun === undefined || noun.includes(' ')) return noun
    const under = commands.flatMap(({ words }) =>
      words.startsWith(`${noun} `) ? [words.slice(noun.length + 1)] : [],
    )
    // What can be done with it is one thing: `leaderboard`.
    const verb = second === '' && under.length === 1 ? under[0] : verbOf(second, under)
    return verb === undefined ? noun : `${noun} ${verb}`
  }
  const [first = '', second = ''] = asked
  const straight = inOrder(first, second)
  if (straight?.includes(' ')) return straight
  // As other tools have it: `create realm`.
  const turned = second === '' ? undefined : inOrder(second, first)
  return turned?.includes(' ') ? turned : straight
}
