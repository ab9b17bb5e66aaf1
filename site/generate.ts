import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, relative } from 'node:path'
import { apiPages } from './api.ts'
import { fileOf, isExternal, isFolder, isPicture, sourcePlace } from './links.ts'
import { markdownFiles, read, root } from './pages.ts'

/** Writes site/generated: the pages of the API, and files of the project that pages link to. */

const languages: Readonly<Record<string, string>> = {
  '': 'txt',
  cfg: 'txt',
  mjs: 'js',
  service: 'ini',
  sol: 'solidity',
}

const generatedPlace = (file: string): string => `site/generated/${sourcePlace(file).replace(/html$/, 'md')}`

function sourcePage(file: string): string {
  const head = `---\nsearch: false\noutline: false\nprev: false\nnext: false\n---\n\n# \`${file}\`\n\n`
  if (isFolder(file)) {
    const inside = globSync(`${file.replace(/\/$/, '')}/*`, { cwd: root }).sort()
    return head + inside.map((one) => `- \`${one}\``).join('\n')
  }
  if (isPicture(file)) return `${head}![${file}](${relative(dirname(generatedPlace(file)), file)})`
  const extension = extname(file).slice(1)
  return `${head}\`\`\`\`\`${languages[extension] ?? extension}\n${read(file).trimEnd()}\n\`\`\`\`\`\n`
}

/** What a Markdown file links to, without other Markdown files. Pictures that it shows are not links. */
function sourcesOf(from: string): string[] {
  const links = [...read(from).matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g)].map(([, href = '']) => href)
  const files = links.filter((href) => !isExternal(href)).map((href) => fileOf(href, from) ?? '')
  return files.filter((file) => file !== '' && !file.endsWith('.md'))
}

export function generate(): void {
  rmSync(`${root}site/generated`, { recursive: true, force: true })
  const sources = new Set(markdownFiles().flatMap(sourcesOf))
  sources.delete('server/openapi.json')
  const apiFiles = [...apiPages()].map(([place, text]) => [`site/generated/${place}`, text] as const)
  const sourceFiles = [...sources].map((file) => [generatedPlace(file), sourcePage(file)] as const)
  for (const [file, text] of [...apiFiles, ...sourceFiles]) {
    mkdirSync(dirname(root + file), { recursive: true })
    writeFileSync(root + file, text)
  }
}
