import { escapeHtml, type Heading } from './markdown.ts'
import { below, home, type Page, pages, placeOf, sections, wayTo } from './pages.ts'

/** What surrounds the text of a page. */
export type Leaf = {
  readonly title: string
  /** Its path in the site. */
  readonly place: string
  readonly html: string
  readonly headings: readonly Heading[]
  /** Its source file. */
  readonly file: string
}

function navigation({ place, file }: Leaf): string {
  const item = (page: Page): string => {
    const here = page.file === file ? ' aria-current="page"' : ''
    const inner = below(page.file)
    const open = page.file === file || inner.some((one) => one.file === file)
    const list = open && inner.length > 0 ? `<ul>${inner.map(item).join('')}</ul>` : ''
    const to = wayTo(placeOf(page.file), place)
    return `<li><a href="${to}"${here}>${escapeHtml(page.title)}</a>${list}</li>`
  }
  return sections
    .map(({ title, pages: own }) => `<h2>${title}</h2>\n<ul>${own.map(item).join('\n')}</ul>`)
    .join('\n')
}

/** The table of contents of a long page. */
function contents({ headings }: Leaf): string {
  const shown = headings.filter(({ depth }) => depth === 2)
  const inner = headings.filter(({ depth }) => depth === 3)
  const all = inner.length > 0 && shown.length + inner.length <= 24 ? [...shown, ...inner] : shown
  if (all.length < 2) return ''
  const items = headings
    .filter((one) => all.includes(one))
    .map(({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`)
  const list = `<h2>On this page</h2><ul>${items.join('\n')}</ul>`
  return `<nav class="contents" aria-label="On this page">${list}</nav>`
}

/** The pages before and after, in the order of the navigation. */
function neighbours({ file, place }: Leaf): string {
  const index = pages.findIndex((page) => page.file === file)
  if (index < 0 || file === home) return ''
  const link = (page: Page | undefined, rel: string, words: string) =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${wayTo(placeOf(page.file), place)}"><small>${words}</small>` +
        `${escapeHtml(page.title)}</a>`
  const before = index > 1 ? pages[index - 1] : undefined
  return (
    `<nav class="neighbours" aria-label="Next and previous page">${link(before, 'prev', 'Previous')}` +
    `${link(pages[index + 1], 'next', 'Next')}</nav>`
  )
}

const coin =
  '<svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true"><circle cx="16" cy="16" r="14" ' +
  'fill="var(--accent)"/><path d="M10 11h12M10 16h9M10 21h12" stroke="var(--ground)" stroke-width="2.6" ' +
  'stroke-linecap="round"/></svg>'

/** A complete page. It loads nothing from another host. */
export function layout(leaf: Leaf): string {
  const to = (place: string) => wayTo(place, leaf.place)
  const isHome = leaf.file === home
  const title = isHome ? 'Exchequer, the points ledger of a community' : `${leaf.title} · Exchequer`
  return `<!doctype html>
<html lang="en" data-to-root="${to('index.html').replace(/index\.html$/, '')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="${to('icon.svg')}">
<link rel="stylesheet" href="${to('frame.css')}">
<link rel="stylesheet" href="${to('search.css')}">
<link rel="stylesheet" href="${to('text.css')}">
<script src="${to('site.js')}"></script>
</head>
<body>
<a class="skip" href="#text">Skip to content</a>
<header>
<button type="button" class="menu" aria-expanded="false" aria-controls="navigation">Menu</button>
<a class="brand" aria-label="Exchequer" href="${to('index.html')}">${coin}<span>Exchequer</span></a>
<div class="search"><input type="search" placeholder="Search" aria-label="Search the guide"
 aria-controls="found" autocomplete="off" spellcheck="false"><kbd aria-hidden="true">/</kbd>
<div id="found" hidden></div></div>
<button type="button" class="theme" aria-label="Light or dark"></button>
</header>
<div class="columns">
<nav id="navigation" aria-label="The guide">
${navigation(leaf)}
</nav>
<main id="text"${isHome ? ' class="home"' : ''}>
${leaf.html}
${neighbours(leaf)}
</main>
${contents(leaf)}
</div>
</body>
</html>
`
}
