import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Counts the words that CONTRIBUTING.md's table replaces, and exported types that are named by a participle:
 * npm run prose.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const never = /\b(whoever|anew|mend(s|ed|ing)?|parted by)\b/gi
const rarely = /\b(told|tells|nobody|somebody)\b/gi
const rarelyCap = 20
const participle = 'Asked|Found|Told|Said|Given|Seen|Wanted|Kept|Handed|Looked|Made'
const participles = new RegExp(`\\bexport (?:type|class|interface) (\\w*(?:${participle}))\\b`, 'g')

/** The table itself, this check, what others wrote, and what is generated from the sources. */
const exempt =
  /^(CONTRIBUTING\.md|\.ci\/prose\.ts|package-lock\.json|LICENSE|server\/(test\/acceptance|migrations)\/)/

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && !exempt.test(file))

type Hit = { readonly file: string; readonly line: number; readonly word: string }

function hitsOf(pattern: RegExp): Hit[] {
  return files.flatMap((file) => {
    const text = readFileSync(root + file, 'utf8')
    if (text.includes('\0')) return []
    return text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(pattern)].map(([found, name]) => ({ file, line: index + 1, word: name ?? found })),
      )
  })
}

const show = (hits: readonly Hit[]) => {
  for (const { file, line, word } of hits) console.log(`  ${file}:${line} ${word}`)
}

const forbidden = hitsOf(never)
const rare = hitsOf(rarely)
const types = hitsOf(participles)
const tooMany = rare.length > rarelyCap ? rare : []
show([...forbidden, ...tooMany, ...types])
const failed = forbidden.length + tooMany.length + types.length
console.log(
  `${forbidden.length} words that are not used here, ${rare.length} of at most ${rarelyCap} rare ones, ` +
    `${types.length} types named by a participle`,
)
process.exitCode = failed === 0 ? 0 : 1
