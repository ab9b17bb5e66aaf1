import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { release } from '../../config/release.ts'
import { refuse } from '../../errors.ts'
import type { Reply } from '../problem.ts'
import { publicRoute, type Request, type Route } from '../route/route.ts'
import type { Site } from '../wire/site.ts'
import { openapi } from './openapi.ts'

const readable = { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' }
const named = { tag: 'Service', methods: ['GET'], writes: false } as const

/** The reference's bundle: a copy in the package and the image; in a clone, npm's. */
const bundlePaths = [
  '../../../public/scalar.js',
  '../../../../node_modules/@scalar/api-reference/dist/browser/standalone.js',
]

/** A content security policy can't name an IPv6 host. */
const isIpv6 = (host: string): boolean => /^\[[0-9a-f:]+\](:[0-9]+)?$/i.test(host)
const isHost = (host: string): boolean => /^[a-z0-9.-]+(:[0-9]+)?$/i.test(host)

/**
 * The page may call the API but not the console. A source with a path needs a host: the public one, or the
 * one that the page was requested from. The page opens no window, so that it can't script a console.
 */
function policyFor({ headers }: Request, site: Site, paths: readonly string[]): string {
  const hosts = [headers.host ?? '', site.origin(headers).replace(/^https?:\/\//, '')].filter(isHost)
  const sources = [...new Set(hosts)].flatMap((host) => paths.map((path) => host + site.basePath + path))
  return [
    "default-src 'none'",
    "script-src 'self'",
    // The bundle contains its styles and adds them at run time.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src ${sources.join(' ') || (isIpv6(headers.host ?? '') ? "'self'" : "'none'")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    'sandbox allow-scripts allow-same-origin allow-downloads allow-forms',
  ].join('; ')
}

/** The paths that the page may request: all documented ones except the console's. */
function reachable(documented: readonly Route[]): string[] {
  const first = documented.map(({ segments: [one = '', ...more] }) =>
    more.length > 0 ? `/${one}/` : `/${one}`,
  )
  return [...new Set([...first, '/openapi.json'])].filter((path) => !path.startsWith('/console'))
}

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Exchequer API ${release}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="docs/docs.css"></head>
<body><noscript><p>This page needs JavaScript. The same is in
<a href="openapi.json">openapi.json</a>.</p></noscript>
<div id="reference"></div>
<script src="docs/scalar.js?v=${release}"></script>
<script src="docs/docs.js?v=${release}"></script></body></html>
`

const own = (name: string) => readFileSync(new URL(`../../../public/${name}`, import.meta.url))

/** Read on the first request: most processes never serve it. */
function readBundle(): Buffer {
  const found = bundlePaths.map((path) => new URL(path, import.meta.url)).find((file) => existsSync(file))
  if (!found) throw refuse('not_set_up', 'The reference is not installed. Run npm ci, then restart.')
  return Buffer.from(readFileSync(found, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}

class Files {
  readonly #bodies = new Map<string, Buffer>()
  readonly #zipped = new Map<string, Promise<Buffer>>()

  async reply(name: 'scalar.js' | 'docs.js' | 'docs.css', headers: Request['headers']): Promise<Reply> {
    const body = this.#bodies.get(name) ?? (name === 'scalar.js' ? readBundle() : own(name))
    this.#bodies.set(name, body)
    const common = {
      status: 200,
      type: `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
      headers: { ...readable, 'cache-control': 'public, max-age=86400', vary: 'Accept-Encoding' },
    }
    if (!/\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))) return { ...common, body }
    const zipped = this.#zipped.get(name) ?? promisify(gzip)(body)
    this.#zipped.set(name, zipped)
    return { ...common, body: await zipped, headers: { ...common.headers, 'content-encoding': 'gzip' } }
  }
}

/**
 * The OpenAPI document, generated once from the routes, and the page that shows it. `basePath` is the path
 * under which a proxy serves the server.
 */
export function docsRoutes(documented: readonly Route[], basePath: string): Route[] {
  // Buffers, because all responses share them: a slow client costs no copy.
  const json: Reply = {
    status: 200,
    body: Buffer.from(JSON.stringify(openapi(documented, basePath))),
    headers: readable,
  }
  const paths = reachable(documented)
  const html = Buffer.from(page)
  const files = new Files()
  const file = (name: 'scalar.js' | 'docs.js' | 'docs.css', operationId: string) =>
    publicRoute(
      { ...named, operationId, path: `/docs/${name}`, summary: 'Read a file of the API reference' },
      ({ headers }) => files.reply(name, headers),
    )
  return [
    publicRoute(
      { ...named, operationId: 'getOpenapi', path: '/openapi.json', summary: 'Read the OpenAPI document' },
      () => json,
    ),
    publicRoute(
      { ...named, operationId: 'openReference', path: '/docs', summary: 'Open the API reference' },
      (request, { site }) => ({
        status: 200,
        body: html,
        type: 'text/html; charset=utf-8',
        headers: {
          'cache-control': 'no-cache',
          'content-security-policy': policyFor(request, site, paths),
          'cross-origin-opener-policy': 'same-origin',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        },
      }),
    ),
    file('scalar.js', 'getReferenceBundle'),
    file('docs.js', 'getReferenceScript'),
    file('docs.css', 'getReferenceStyle'),
    publicRoute({ ...named, operationId: 'openRoot', path: '/', summary: 'Redirect to /docs' }, () => ({
      status: 302,
      body: '',
      // Not relative: a base path may lack a trailing slash.
      headers: { location: `${basePath}/docs` },
    })),
  ]
}
