import { Marked, type Tokens } from 'marked'

/** A section of a page under one heading, for the search. */
export type Piece = { readonly id: string; readonly heading: string; text: string }
export type Heading = { readonly id: string; readonly text: string; readonly depth: number }
export type RenderedPage = {
  readonly html: string
  readonly headings: readonly Heading[]
  readonly pieces: readonly Piece[]
  readonly anchors: ReadonlySet<string>
}
/** Resolves a link or an image of a page to a path in the site. */
export type Resolve = (href: string) => string

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (c) => escapes[c] ?? c)
const written = new Map(Object.entries(escapes).map(([character, name]) => [name, character]))
/** The plain text of HTML. */
const plain = (html: string): string =>
  html.replaceAll(/<[^>]+>/g, '').replaceAll(/&[a-z0-9#]+;/g, (name) => written.get(name) ?? "'")

/** The anchor that GitHub gives to a heading, so that a link works in both. */
export function slugOf(heading: string, taken: Map<string, number>): string {
  const slug = heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const before = taken.get(slug)
  taken.set(slug, (before ?? 0) + 1)
  return before === undefined ? slug : `${slug}-${before}`
}

/** Highlights only comments and quoted text, which works for every language used here. */
function coloured(code: string, language: string): string {
  const hash = ['sh', 'yaml', 'yml', 'python', 'py', 'ini'].includes(language)
  const slash = ['ts', 'js', 'mjs'].includes(language)
  if (!(hash || slash || language === 'json')) return escapeHtml(code)
  const comment = hash ? '(?<=^|\\s)#[^\\n]*' : slash ? '/\\*[\\s\\S]*?\\*/|(?<=^|\\s)//[^\\n]*' : '(?!)'
  const pattern = new RegExp(`(${comment})|("(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'|\`[^\`\\n]*\`)`, 'gm')
  let html = ''
  let last = 0
  for (const found of code.matchAll(pattern)) {
    const kind = found[1] === undefined ? 's' : 'c'
    html += `${escapeHtml(code.slice(last, found.index))}<span class="${kind}">${escapeHtml(found[0])}</span>`
    last = found.index + found[0].length
  }
  return html + escapeHtml(code.slice(last))
}

export function codeBlock(code: string, language = ''): string {
  const label = language ? ` data-language="${escapeHtml(language)}"` : ''
  return `<div class="code"${label}><pre tabindex="0"><code>${coloured(code, language)}</code></pre></div>\n`
}

/** `<!-- not run: needs Docker -->` above a block is shown to the reader too. */
function noteOf(comment: string): string {
  const [, why] = /^<!-- not run: ([\s\S]+?) -->\s*$/.exec(comment) ?? []
  return why === undefined ? '' : `<p class="note">Not run by our tests: ${escapeHtml(why)}.</p>\n`
}

/** A page of Markdown as HTML. */
export function render(markdown: string, resolve: Resolve): RenderedPage {
  const taken = new Map<string, number>()
  const headings: Heading[] = []
  const pieces: Piece[] = [{ id: '', heading: '', text: '' }]
  const say = (text: string) => {
    const piece = pieces.at(-1)
    if (piece) piece.text += `${text} `
  }
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens)
        const text = plain(html)
        const id = slugOf(text, taken)
        headings.push({ id, text, depth })
        pieces.push({ id: depth === 1 ? '' : id, heading: text, text: '' })
        const link = depth === 1 ? '' : `<a class="anchor" href="#${id}" aria-label="Link to: ${text}">#</a>`
        return `<h${depth} id="${id}">${html}${link}</h${depth}>\n`
      },
      link({ href, tokens, title }: Tokens.Link) {
        const words = title ? ` title="${escapeHtml(title)}"` : ''
        return `<a href="${escapeHtml(resolve(href))}"${words}>${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(resolve(href))}" alt="${escapeHtml(text)}">`
      },
      codespan({ text }: Tokens.Codespan) {
        // A long path may wrap after a slash.
        return `<code>${escapeHtml(text).replaceAll('/', '/<wbr>')}</code>`
      },
      code({ text, lang }: Tokens.Code) {
        say(text)
        return codeBlock(text, lang)
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) => {
          const shown = cells.map(({ tokens, text }) => {
            const name = text === '' ? 'td' : tag
            return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
          })
          return `<tr>${shown.join('')}</tr>`
        }
        const named = token.header.some(({ text }) => text !== '')
        const head = named ? `<thead>${row(token.header, 'th')}</thead>` : ''
        const rows = token.rows.map((cells) => row(cells, 'td')).join('\n')
        for (const { text } of token.rows.flat()) say(text)
        return `<div class="table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
      paragraph({ tokens, text }: Tokens.Paragraph) {
        say(text)
        return `<p>${this.parser.parseInline(tokens)}</p>\n`
      },
      listitem(item: Tokens.ListItem) {
        if (!item.loose) say(item.text)
        return `<li>${this.parser.parse(item.tokens)}</li>\n`
      },
      html({ text }: Tokens.HTML | Tokens.Tag) {
        return noteOf(text) || text
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { html, headings, pieces, anchors: new Set(headings.map(({ id }) => id)) }
}
