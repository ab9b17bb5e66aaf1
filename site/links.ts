import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { placeOf, root } from './pages.ts'

/** Links of the Markdown files, which are written for GitHub, as links of the site. */

const generated = 'site/generated/'
export const isExternal = (href: string): boolean => /^[a-z]+:/.test(href)
export const isPicture = (file: string): boolean => /\.(svg|png|gif)$/.test(file)
export const sourcePlace = (file: string): string => `source/${file}.html`

/** The file or folder of the project that a link of the file `from` leads to. */
export function fileOf(href: string, from: string): string | undefined {
  const [path = ''] = href.split('#')
  const file = posix.join(posix.dirname(from), path)
  // A path from the root works on GitHub or in the site, not in both.
  if (path.startsWith('/') || file.startsWith('..') || !existsSync(root + file)) return
  const readme = posix.join(file, 'README.md')
  return existsSync(root + readme) ? readme : file
}

export const isFolder = (file: string): boolean => statSync(root + file).isDirectory()

/**
 * The URL for a link of the file `from`. A link to a file that does not exist leads to /missing, which the
 * check of the built site reports.
 */
export function urlOf(href: string, from: string): string {
  if (isExternal(href) || href.startsWith('#') || from.startsWith(generated)) return href
  const [path = '', anchor] = href.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const file = fileOf(href, from)
  if (file === undefined) return `/missing/${encodeURIComponent(path)}`
  // Its pages are easier to read than a document of a megabyte.
  if (file === 'server/openapi.json') return '/api/'
  return `/${file.endsWith('.md') ? placeOf(file).replace(/\.md$/, '.html') : sourcePlace(file)}${hash}`
}

/** The anchor that GitHub gives to a heading. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
