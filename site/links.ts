import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { pages, placeOf, root, wayTo } from './pages.ts'

/** Targets of the pages' links, and broken links. */
export type FoundLink = {
  /** Project files that are not pages: shown as source. */
  readonly sources: Set<string>
  /** Pictures that are copied. */
  readonly pictures: Set<string>
  readonly elsewhere: Set<string>
  /** Links into the site: from which file, to which place and anchor. */
  readonly inside: { readonly from: string; readonly place: string; readonly anchor: string }[]
  readonly dead: string[]
}

export const nothingFound = (): FoundLink => ({
  sources: new Set(),
  pictures: new Set(),
  elsewhere: new Set(),
  inside: [],
  dead: [],
})

const known = new Set(pages.map(({ file }) => file))
export const sourcePlace = (file: string): string => `source/${file}.html`

/** The page for a path of the project: for a folder, its README. */
function fileOf(path: string): string {
  const inFolder = posix.join(path, 'README.md')
  return known.has(inFolder) ? inFolder : path
}

/** Resolves a link of this file to a path in the site, and records it in `found`. */
export function resolver(from: string, at: string, found: FoundLink): (href: string) => string {
  return (href) => {
    if (/^(https?:|mailto:)/.test(href)) {
      found.elsewhere.add(href)
      return href
    }
    const [path = '', anchor = ''] = href.split('#')
    const file = path === '' ? from : fileOf(posix.normalize(posix.join(posix.dirname(from), path)))
    if (file.startsWith('..') || !existsSync(root + file)) {
      found.dead.push(`${from}: ${href}`)
      return href
    }
    if (/\.(svg|png|gif)$/.test(file)) {
      found.pictures.add(file)
      return wayTo(picturePlace(file), at)
    }
    const place = known.has(file) ? placeOf(file) : sourcePlace(file)
    if (known.has(file)) found.inside.push({ from, place, anchor })
    else found.sources.add(file)
    if (path === '') return `#${anchor}`
    return wayTo(place, at) + (anchor && `#${anchor}`)
  }
}

export const picturePlace = (file: string): string => file.replace(/^docs\//, '')
export const isFolder = (file: string): boolean => statSync(root + file).isDirectory()

/** Links to anchors that do not exist. */
export function lostAnchors(found: FoundLink, anchors: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return found.inside
    .filter(({ place, anchor }) => anchor !== '' && !anchors.get(place)?.has(anchor))
    .map(({ from, place, anchor }) => `${from}: ${place}#${anchor}`)
}
