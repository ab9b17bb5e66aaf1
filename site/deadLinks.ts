import { globSync, readFileSync } from 'node:fs'

export type LinkReport = {
  readonly pages: number
  readonly dead: readonly string[]
  /** Links to other hosts: not followed. */
  readonly external: readonly string[]
}

const links = /<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g
const ids = /<[a-z][^>]*?\sid="([^"]*)"/g
const host = 'http://site.invalid/'

const groupsOf = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, group = '']) => group.replaceAll('&amp;', '&'))

/** Checks the links of a built site: each leads to a file of it, and to an element that has that id. */
export function checkLinks(folder: string): LinkReport {
  const files = globSync('**/*.*', { cwd: folder })
  const pages = files.filter((file) => file.endsWith('.html'))
  const html = new Map(pages.map((page) => [page, readFileSync(`${folder}/${page}`, 'utf8')]))
  const anchors = new Map([...html].map(([page, text]) => [page, new Set(groupsOf(text, ids))]))
  const [known, dead, external] = [new Set(files), new Set<string>(), new Set<string>()]
  for (const [page, text] of html)
    for (const href of groupsOf(text, links)) {
      const { origin, protocol, pathname, hash } = new URL(href, host + page)
      if (protocol === 'data:') continue
      if (`${origin}/` !== host) external.add(href)
      else {
        const file = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, '$1index.html')
        const anchor = decodeURIComponent(hash.slice(1))
        const isFound = known.has(file) && (anchor === '' || anchors.get(file)?.has(anchor))
        if (!isFound) dead.add(`${page}: ${href}`)
      }
    }
  return { pages: pages.length, dead: [...dead].sort(), external: [...external].sort() }
}
