import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { urlOf } from './links.ts'
import { home, type Page, read, root, sections } from './pages.ts'

/**
 * llms.txt, a short map of the documentation for programs that read it: llmstxt.org. `npm run gen` writes it
 * next to the README, with links to files; the site has its own, with links to pages.
 */

/** Without links, emphasis and code marks. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The first sentence below a page's title; empty if it begins with something else. */
export function summaryOf(text: string): string {
  const [, ...blocks] = text.replace(/^[\s\S]*?(?=^# )/m, '').split(/\n{2,}/)
  const first = blocks.find((block) => !/^(<!--|!\[|Generated from )/.test(block)) ?? ''
  if (/^(#|\||`{3}|[-*] | {4})/.test(first)) return ''
  const [, sentence = plain(first)] = /^(.+?\.)( |$)/.exec(plain(first)) ?? []
  return sentence.replace(/[.:]$/, '')
}

function llmsText(linkOf: (file: string) => string): string {
  const line = ({ file, title }: Page) => {
    const summary = summaryOf(read(file))
    return `- [${title}](${linkOf(file)})${summary === '' ? '' : `: ${summary}`}`
  }
  const [title = '', about = ''] = read(home).split(/\n{2,}/)
  return `${[
    title,
    `> ${plain(about)}`,
    'The API has one document, OpenAPI 3.1, with an example of every operation: ' +
      `[openapi.json](${linkOf('server/openapi.json')}). A running server shows it at /docs.`,
    ...sections.map((section) => `## ${section.title}\n\n${section.pages.map(line).join('\n')}`),
  ].join('\n\n')}\n`
}

/** Links to files of the repository. */
export const repositoryText = (): string => llmsText((file) => file)

/** Links to pages of the site, and to the document as it is. */
export const siteText = (): string =>
  llmsText((file) => (file === 'server/openapi.json' ? '/openapi.json' : urlOf(file, 'README.md')))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isCurrent = process.argv.includes('--check')
  if (!isCurrent) writeFileSync(`${root}llms.txt`, repositoryText())
  else if (readFileSync(`${root}llms.txt`, 'utf8') !== repositoryText())
    throw new Error('llms.txt is not up to date: npm run gen')
}
