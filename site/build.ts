import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, posix } from 'node:path'
import { layout } from './layout.ts'
import {
  type FoundLink,
  isFolder,
  lostAnchors,
  nothingFound,
  picturePlace,
  resolver,
  sourcePlace,
} from './links.ts'
import { codeBlock, escapeHtml, type RenderedPage, render } from './markdown.ts'
import { below, pages, placeOf, read, root, wayTo } from './pages.ts'

/** Builds the guide: the Markdown of docs/ and of the packages as static files that also work from a disk. */

export const out = `${root}site/dist/`

export type Built = { readonly pages: number; readonly sources: number; readonly found: FoundLink }

function write(place: string, text: string): void {
  mkdirSync(dirname(out + place), { recursive: true })
  writeFileSync(out + place, text)
}

/** A file of the project that a page links to, or a folder as a list. */
function sourcePage(file: string): string {
  const name = `<h1 id="source" class="source">${escapeHtml(file)}</h1>\n`
  if (!isFolder(file)) return name + codeBlock(read(file).trimEnd(), extname(file).slice(1))
  const inside = globSync(`${file.replace(/\/$/, '')}/*`, { cwd: root }).sort()
  return `${name}<ul>${inside.map((one) => `<li><code>${escapeHtml(one)}</code></li>`).join('')}</ul>`
}

/** Links to the pages below a page; GitHub lists them by itself. */
function listBelow(file: string, at: string): string {
  const items = below(file).map(
    (page) => `<li><a href="${wayTo(placeOf(page.file), at)}">${escapeHtml(page.title)}</a></li>`,
  )
  return items.length > 0 ? `<ul class="below">${items.join('\n')}</ul>` : ''
}

/** The search index: URL, page, heading and plain text of each section. */
function searchable(title: string, place: string, { pieces }: RenderedPage): string[][] {
  const words = (text: string) =>
    text
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[`*|]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  return pieces
    .filter(({ heading, text }) => heading !== '' || text.trim() !== '')
    .map(({ id, heading, text }) => [place + (id && `#${id}`), title, heading, words(text)])
}

export function build(): Built {
  rmSync(out, { recursive: true, force: true })
  const found = nothingFound()
  const anchors = new Map<string, ReadonlySet<string>>()
  const index: string[][] = []
  for (const { file, title } of pages) {
    const place = placeOf(file)
    const rendered = render(read(file), resolver(file, place, found))
    anchors.set(place, rendered.anchors)
    index.push(...searchable(title, place, rendered))
    const html = rendered.html + listBelow(file, place)
    write(place, layout({ title, place, file, html, headings: rendered.headings }))
  }
  for (const file of found.sources) {
    const place = sourcePlace(file)
    write(place, layout({ title: posix.basename(file), place, file, html: sourcePage(file), headings: [] }))
  }
  for (const file of found.pictures) {
    mkdirSync(dirname(out + picturePlace(file)), { recursive: true })
    copyFileSync(root + file, out + picturePlace(file))
  }
  // A script instead of JSON, so that a page opened from a disk can load it too.
  write('search-index.js', `globalThis.searchIndex=${JSON.stringify(index)}\n`)
  for (const file of ['frame.css', 'search.css', 'text.css', 'site.js', 'icon.svg'])
    copyFileSync(`${root}site/${file}`, out + file)
  found.dead.push(...lostAnchors(found, anchors))
  return { pages: pages.length, sources: found.sources.size, found }
}

if (import.meta.main) {
  const { pages: count, sources, found } = build()
  for (const link of found.dead) console.error(`dead link in ${link}`)
  console.log(`${count} pages and ${sources} sources in site/dist`)
  if (found.dead.length > 0) process.exitCode = 1
}
