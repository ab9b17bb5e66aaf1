import type { PublicBoard } from '../../leaderboards/index.ts'
import { escapeHtml as escaped } from './html.ts'

/** A leaderboard as a page, complete without its script, which keeps it current. */

type Listed = PublicBoard['top']['members'][number]

/** A member without a name gets a label that distinguishes it from others, and reveals nothing else. */
export const nameOf = ({ displayName, username, id }: Listed): string =>
  displayName ?? username ?? `…${id.slice(-4)}`

const periods = [
  ['all', 'All time'],
  ['week', 'This week'],
  ['month', 'This month'],
] as const

const usualAccent = '#2f6fde'

/** The realm's colour is used for bars and lines, never for text or its background, to stay readable. */
const styleOf = (accent: string): string => `
:root { color-scheme: light dark; --accent: ${accent}; --ink: #1b2130; --soft: #586174; --line: #e3e7ee;
  --ground: #f6f7f9; --card: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf1; --soft: #a3acbd; --line: #2b3341;
  --ground: #10141b; --card: #181e28 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 42rem; margin: 0 auto; padding: 2rem 1rem 4rem }
header { display: flex; gap: 1rem; align-items: center; margin: 0 0 1.5rem }
header img { width: 3.5rem; height: 3.5rem; border-radius: .8rem; object-fit: cover }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere }
p { margin: .15rem 0 0; color: var(--soft) }
nav { display: flex; flex-wrap: wrap; gap: .25rem; margin: 0 0 1rem; border-bottom: 1px solid var(--line) }
nav a { padding: .5rem .8rem; color: var(--soft); text-decoration: none }
nav a { border-bottom: 3px solid transparent }
nav a:hover, nav a:focus-visible { color: var(--ink) }
nav a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .9rem; overflow: hidden }
table { width: 100%; border-collapse: collapse }
th { font-size: .85rem; font-weight: 500; color: var(--soft); text-align: left }
th, td { padding: .65rem 1rem }
tbody tr { border-top: 1px solid var(--line) }
td { overflow-wrap: anywhere }
.rank { width: 4rem; font-variant-numeric: tabular-nums; color: var(--soft) }
.score { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
tbody tr[data-top] td { font-weight: 600 }
tbody tr[data-top] .rank { color: var(--ink); box-shadow: inset 4px 0 var(--accent) }
footer { margin: 1rem 1rem 0; font-size: .85rem; color: var(--soft) }
footer a { color: inherit; text-underline-offset: .2em }
footer a:hover, footer a:focus-visible { color: var(--ink) }
.none { padding: 2rem 1rem; text-align: center; margin: 0 }
`

const numbers = new Intl.NumberFormat('en')

const row = (one: Listed): string =>
  `<tr${(one.rank ?? 4) <= 3 ? ' data-top' : ''}><td class="rank">${one.rank}</td>` +
  `<td>${escaped(nameOf(one))}</td><td class="score">${numbers.format(one.score)}</td></tr>`

function tableOf({ point, top }: PublicBoard): string {
  if (top.members.length === 0) return '<p class="none">No members are ranked yet.</p>'
  const unit = escaped([point.emoji, point.name].filter(Boolean).join(' '))
  return `<table><thead><tr><th class="rank">Rank</th><th>Name</th><th class="score">${unit}</th></tr></thead>
<tbody>${top.members.map(row).join('\n')}</tbody></table>`
}

function links({ realm, point, top }: PublicBoard): string {
  const named = point.id === realm.config.defaultPoint.id ? {} : { realmPointId: point.id }
  return periods
    .map(([name, title]) => {
      const current = top.period.name === name ? ' aria-current="page"' : ''
      const query = new URLSearchParams({ period: name, ...named })
      return `<a href="?${escaped(String(query))}"${current}>${title}</a>`
    })
    .join('')
}

function accentOf(colours: string | null): string {
  const named = JSON.parse(colours ?? '{}') as Readonly<Record<string, string>>
  const accent = named['primary'] ?? Object.values(named)[0] ?? usualAccent
  // It is written into a style, so anything but a colour is rejected, whatever is stored.
  return /^#[0-9a-f]{6}$/i.test(accent) ? accent : usualAccent
}

/** Relative, so that it works under any base path. */
const footer = (realmId: string): string =>
  `\n<footer><a href="${escaped(realmId)}/checkpoint">Signed checkpoint of this ledger</a></footer>`

type Page = { readonly html: string; readonly style: string }

export function boardPage(board: PublicBoard, isSigned: boolean): Page {
  const { name, logo, colours } = board.realm.config
  const style = styleOf(accentOf(colours))
  const image = logo === null ? '' : `<img src="${escaped(logo)}" alt="" referrerpolicy="no-referrer">`
  const count = `${numbers.format(board.top.total)} ${board.top.total === 1 ? 'member' : 'members'}`
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}: leaderboard</title><style>${style}</style>
<script src="../board.js" defer></script></head><body><main>
<header>${image}<div><h1>${escaped(name)}</h1><p>Leaderboard, ${count}</p></div></header>
<nav aria-label="Period">${links(board)}</nav>
<div class="card">${tableOf(board)}</div>${isSigned ? footer(board.realm.id) : ''}
</main></body></html>
`
  return { html, style }
}
