import { catalogue } from '../errors.ts'
import { release } from '../release.ts'
import { escapeHtml } from './html.ts'
import type { Route } from './route.ts'

export const style = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6478; --line: #dfe3ea; --ground: #fff;
  --tint: #f5f7fa; --accent: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa4b5; --line: #2c3442;
  --ground: #12161d; --tint: #1a2029; --accent: #7fb0ff; } }
* { box-sizing: border-box }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.55 system-ui, sans-serif }
main { max-width: 58rem; margin: 0 auto; padding: 2rem 1.25rem 5rem }
h1 { font-size: 1.9rem; margin: 0 } h2 { margin: 3rem 0 .5rem; font-size: 1.3rem }
p { margin: .5rem 0 } .soft { color: var(--soft) }
a { color: var(--accent) }
article { border: 1px solid var(--line); border-radius: .6rem; margin: 1rem 0; padding: 1rem 1.25rem }
article h3 { margin: 0 0 .35rem; font-size: 1.05rem }
code, pre { font: .86rem/1.5 ui-monospace, monospace }
.path { overflow-wrap: anywhere } .path b { color: var(--accent); margin-right: .5rem }
pre { background: var(--tint); border-radius: .4rem; padding: .75rem .9rem; overflow-x: auto }
pre { margin: .75rem 0 0 }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 0; font-size: .92rem }
th { text-align: left; font-weight: 600; color: var(--soft) }
th, td { padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top }
td:nth-child(-n+2) { white-space: nowrap }
`

type Described = { readonly description?: string; readonly examples?: readonly unknown[] }
type Shape = {
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

/** Text in which `words` are code. */
export const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

function fieldRows(route: Route): string {
  const row = (name: string, where: string, { description = '' }: Described) =>
    `<tr><td><code>${escapeHtml(name)}</code></td><td>${where}</td><td>${prose(description)}</td></tr>`
  const shape = (route.body ?? {}) as Shape
  const body = Object.entries(shape.properties ?? {}).map(([name, described]) =>
    row(name, shape.required?.includes(name) ? 'body' : 'body, optional', described),
  )
  const path = Object.entries(route.params ?? {}).map(([name, schema]) =>
    row(name, 'path', schema as Described),
  )
  const query = Object.entries(route.query ?? {}).map(([name, schema]) =>
    row(name, 'query', schema as Described),
  )
  const rows = [...path, ...query, ...body].join('')
  return rows ? `<table><tr><th>field</th><th>in</th><th>what it is</th></tr>${rows}</table>` : ''
}

function example(route: Route): string {
  const shape = (route.body ?? {}) as Shape
  const fields = (shape.required ?? []).map(
    (name) => [name, shape.properties?.[name]?.examples?.[0] ?? '…'] as const,
  )
  const method = route.methods[0] === 'GET' ? '' : `-X ${route.methods[0]} `
  const url = route.path.replace('{realmID}', '$REALM').replace('{memberID}', '1190194345295482952')
  const key =
    route.door === 'public'
      ? ''
      : ` \\\n  -H "Authorization: Bearer ${route.door === 'realm' ? '$KEY' : '$TOKEN'}"`
  const data =
    route.body && route.methods[0] !== 'GET'
      ? ` \\\n  -H "Content-Type: application/json" -d '${JSON.stringify(Object.fromEntries(fields))}'`
      : ''
  const query = route.methods.includes('QUERY') ? '?wallets=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' : ''
  return `<pre>curl ${method}"$URL${escapeHtml(url + query)}"${escapeHtml(key + data)}</pre>`
}

/** The names of what is answered: details are in openapi.json. */
function answered(route: Route): string {
  const names = Object.keys((route.answer as Shape | undefined)?.properties ?? {})
  return names.length > 0
    ? `<p>Answers with ${names.map((name) => `<code>${name}</code>`).join(', ')}.</p>`
    : ''
}

function article(route: Route): string {
  const refusals = (route.refusals ?? [])
    .map((code) => `<code>${catalogue[code].status} ${code}</code>`)
    .join(', ')
  return `<article><h3>${escapeHtml(route.summary)}</h3>
<div class="path"><code><b>${route.methods.join(' · ')}</b>${escapeHtml(route.path)}</code></div>
${route.description ? `<p>${prose(route.description)}</p>` : ''}${fieldRows(route)}
${answered(route)}${refusals ? `<p class="soft">Refuses with ${refusals}.</p>` : ''}
${example(route)}</article>`
}

const codes = Object.entries(catalogue)
  .map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${title}</td></tr>`,
  )
  .join('')

/** The reference as a page that needs no script. */
export function referencePage(routes: readonly Route[]): string {
  const behind = (door: Route['door']) =>
    routes
      .filter((route) => route.door === door)
      .map(article)
      .join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Exchequer ${release}: reference</title><style>${style}</style></head><body><main>
<h1>Exchequer</h1><p class="soft">Release ${release} · <a href="openapi.json">openapi.json</a></p>
<p>Members, wallets and points of a realm. Send your key as <code>Authorization: Bearer &lt;key&gt;</code>.
Ids are strings in answers, as they don’t fit in a JavaScript number. A change with an
<code>Idempotency-Key</code> can be retried safely: it happens once and is answered the same.</p>
<h2>For whoever holds a realm’s key</h2>${behind('realm')}
<h2>For the operator</h2>${behind('operator')}
<h2>For whoever watches</h2>${behind('public')}
<h2>Refusals</h2><p>Every error is <code>application/problem+json</code> with a <code>code</code>, a
<code>detail</code> that says what to do, and the <code>requestId</code>.</p>
<table><tr><th>status</th><th>code</th><th>title</th></tr>${codes}</table>
</main></body></html>
`
}
