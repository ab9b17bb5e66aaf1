import { relative } from 'node:path'
import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress'
import { tagGroups, tagPlace } from '../api.ts'
import { slugOf, urlOf } from '../links.ts'
import { decisions, type Page, pages, placeOf, read, root, sections } from '../pages.ts'

const { version } = JSON.parse(read('package.json')) as { version: string }
const itemOf = ({ file, title }: Page): DefaultTheme.SidebarItem => ({
  text: title,
  link: `/${placeOf(file)}`,
  ...(file === 'docs/decisions/README.md' ? { collapsed: true, items: decisions.map(itemOf) } : {}),
})

const api: DefaultTheme.SidebarItem = {
  text: 'API',
  link: '/api/',
  collapsed: true,
  items: tagGroups.map(({ name, tags }) => ({
    text: name,
    items: tags.map((tag) => ({ text: tag, link: `/${tagPlace(tag)}` })),
  })),
}

const sidebar = sections.map(({ title, pages: own }) => ({
  text: title,
  items: title === 'Build' ? [api, ...own.map(itemOf)] : own.map(itemOf),
}))

/** Links as in the repository, and the reason why a shell block is not run, which readers see too. */
const repositoryMarkdown: NonNullable<MarkdownOptions['config']> = (md) => {
  md.core.ruler.after('inline', 'repository-links', ({ tokens, env }) => {
    const from = relative(root, env.realPath ?? env.path)
    // Indented code looks like fenced code.
    for (const token of tokens.filter(({ type }) => type === 'code_block'))
      Object.assign(token, { type: 'fence', info: 'txt' })
    for (const token of tokens.flatMap(({ children }) => children ?? []))
      if (token.type === 'link_open') token.attrSet('href', urlOf(token.attrGet('href') ?? '', from))
  })
  md.renderer.rules.html_block = (tokens, index) => {
    const text = tokens[index]?.content ?? ''
    const [, reason] = /^<!-- not run: ([\s\S]+?) -->\s*$/.exec(text) ?? []
    return reason ? `<p class="note">Not run by our tests: ${md.utils.escapeHtml(reason)}.</p>\n` : text
  }
}

const listed = new Set(pages.map(({ file }) => file))

// biome-ignore lint/style/noDefaultExport: VitePress reads its configuration so
export default defineConfig({
  title: 'Exchequer',
  description: 'The points ledger of a community',
  lang: 'en',
  srcDir: '..',
  outDir: 'dist',
  cacheDir: '../node_modules/.cache/vitepress',
  rewrites: placeOf,
  // deadLinks.ts checks the built pages: anchors, pictures and the navigation too, and lists every dead link.
  ignoreDeadLinks: true,
  // Once for all pages, not in each of them.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/icon.svg' }]],
  vite: { publicDir: `${root}site/public` },
  markdown: {
    anchor: { slugify: slugOf },
    // GitHub does not know them.
    attrs: { disable: true },
    // Their comments have enough contrast.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: repositoryMarkdown,
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'API', link: '/api/' },
      { text: `Version ${version}`, link: '/project/changelog' },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        _render: (text, env, md) => {
          const html = md.render(text, env)
          const isSearched =
            listed.has(env.relativePath) || env.relativePath.startsWith('site/generated/api/')
          return isSearched ? html : ''
        },
      },
    },
  },
})
