import { hash as digest } from 'node:crypto'
import { type Code, catalogue, type Refusal, refuse } from '../../errors.ts'
import { problem, problemPath, type Reply } from '../problem.ts'
import { escapeHtml } from '../public/html.ts'
import { publicRoute, type Route } from '../route/route.ts'
import { Type } from '../route/schemas.ts'
import { causes, exampleFacts } from './causes.ts'
import { remedies } from './remedies.ts'

/** The pages that a problem's `type` links to. They run no script and load no external resource. */

const style = `
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
code, pre { font: .86rem/1.5 ui-monospace, monospace }
pre { background: var(--tint); border-radius: .4rem; padding: .75rem .9rem; overflow-x: auto }
pre { margin: .75rem 0 0 }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 0; font-size: .92rem }
th { text-align: left; font-weight: 600; color: var(--soft) }
th, td { padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); vertical-align: top }
td:nth-child(-n+2) { white-space: nowrap }
@media (max-width: 40rem) { tr { display: block; padding: .6rem 0; border-top: 1px solid var(--line) }
  tr:first-child { display: none } td { display: inline; border: 0; padding: 0 .5rem 0 0 }
  td:last-child { display: block; padding: .2rem 0 0 } }
`

/** Escapes text, and renders `words` in backticks as code. */
const prose = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digest('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
  'content-security-policy': policy,
}

/** The body is a buffer because all responses share it. */
const page = (title: string, inner: string): Reply => ({
  status: 200,
  body: Buffer.from(`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>
${inner}
</main></body></html>
`),
  type: 'text/html; charset=utf-8',
  headers,
})

const codes = Object.keys(catalogue) as Code[]

function exampleOf(code: Code, basePath: string): string {
  const facts = exampleFacts[code]
  const detail = causes[code].replaceAll('`', '')
  const faults = [{ pointer: '/tokens', code: 'missing', detail: 'Missing. Expected a whole number.' }]
  const refusal: Refusal = {
    code,
    detail,
    ...(facts ? { facts } : {}),
    ...(code === 'invalid_request' ? { faults } : {}),
  }
  const { type, ...rest } = JSON.parse(problem(refusal, 'y2xlH8sH-18').body) as { readonly type: string }
  return JSON.stringify({ type: basePath + type, ...rest }, null, 2)
}

function pageOf(code: Code, basePath: string): Reply {
  const { status, title } = catalogue[code]
  return page(
    `${title}: Exchequer problem`,
    `<h1>${escapeHtml(title)}</h1>
<p class="soft">Status ${status} · <code>${code}</code> · <a href="${basePath}/problems">all problems</a></p>
<h2>Cause</h2><p>${prose(causes[code])}</p>
<h2>What to do</h2><p>${prose(remedies[code])}</p>
<h2>Example</h2><pre>${escapeHtml(exampleOf(code, basePath))}</pre>`,
  )
}

function listPage(basePath: string): Reply {
  const row = (code: Code) =>
    `<tr><td>${catalogue[code].status}</td><td><a href="${basePath}${problemPath(code)}">` +
    `<code>${code}</code></a></td><td>${prose(causes[code])}</td></tr>`
  return page(
    'Exchequer problems',
    `<h1>Problems</h1><p>Every error is <code>application/problem+json</code>; its <code>type</code> leads to
one of these pages.</p>
<table><tr><th>status</th><th>code</th><th>cause</th></tr>${codes.map(row).join('')}</table>`,
  )
}

const unknown = () => refuse('route_not_found', 'No problem has this name. /problems lists all of them.')

/** `basePath` is the path under which a proxy serves the server. */
export function problemRoutes(basePath: string): Route[] {
  const list = listPage(basePath)
  const pages = new Map(codes.map((code) => [problemPath(code), pageOf(code, basePath)]))
  return [
    publicRoute(
      {
        operationId: 'listProblems',
        tag: 'Service',
        methods: ['GET'],
        path: '/problems',
        summary: 'List all problems, as a page',
        writes: false,
      },
      () => list,
    ),
    publicRoute(
      {
        operationId: 'getProblem',
        tag: 'Service',
        methods: ['GET'],
        path: '/problems/{name}',
        summary: 'Read a problem, as a page: cause, remedy and example',
        params: { name: Type.String({ description: 'The last segment of a problem’s `type`.' }) },
        writes: false,
      },
      ({ params: { name } }) => {
        const found = pages.get(`/problems/${name}`)
        if (!found) throw unknown()
        return found
      },
    ),
  ]
}
