import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { refuse } from '../../errors.ts'
import type { Reply } from '../problem.ts'

const filesCap = 1_000
const bytesCap = 32 * 1024 * 1024

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** The console runs only its own scripts, calls only this server, and can't be framed. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ')

const careful = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'Accept-Encoding',
}

/** Names under assets/ contain a hash of their content. */
const cachedFor = (path: string): string =>
  path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'

const isText = (type: string): boolean => /^text|json|svg/.test(type)

class Page {
  readonly #path: string
  readonly #body: Buffer
  readonly #type: string
  #zipped: Promise<Buffer> | undefined

  constructor(path: string, body: Buffer) {
    this.#path = path
    this.#body = body
    this.#type = types[extname(path)] ?? 'application/octet-stream'
  }

  async reply(takesGzip: boolean): Promise<Reply> {
    const headers = { ...careful, 'cache-control': cachedFor(this.#path) }
    if (!takesGzip || !isText(this.#type)) return { status: 200, body: this.#body, type: this.#type, headers }
    this.#zipped ??= promisify(gzip)(this.#body)
    const zipped = { ...headers, 'content-encoding': 'gzip' }
    return { status: 200, body: await this.#zipped, type: this.#type, headers: zipped }
  }
}

/** The console's files, read once and looked up by name, so that no path escapes the folder. */
export class Pages {
  readonly #files = new Map<string, Page>()

  constructor(folder: string | undefined, basePath: string) {
    if (folder === undefined || !existsSync(join(folder, 'index.html'))) return
    const names = globSync('**', { cwd: folder }).filter((name) => statSync(join(folder, name)).isFile())
    if (names.length > filesCap) throw new Error(`${folder} has more than ${filesCap} files`)
    let bytes = 0
    for (const name of names) {
      const body = readFileSync(join(folder, name))
      bytes += body.length
      if (bytes > bytesCap) throw new Error(`${folder} is larger than ${bytesCap} bytes`)
      const path = relative(folder, join(folder, name)).split(sep).join('/')
      this.#files.set(path, new Page(path, path === 'index.html' ? based(body, basePath) : body))
    }
  }

  /** A file, or the index page for client-side routes. */
  find(path: string): Page {
    const index = this.#files.get('index.html')
    if (!index)
      throw refuse('not_set_up', 'The console is not built. Run npm run build -w console, then restart.')
    // Programs request paths below session/: they must not get a page instead of a 404.
    const isOther = /\.[a-z0-9]+$|^assets\/|^session\//i.test(path)
    const found = this.#files.get(path) ?? (isOther ? undefined : index)
    if (!found) throw refuse('route_not_found', 'The console has no page at this path.')
    return found
  }
}

/** The page's links are relative to its base, which a proxy may move to another path. */
function based(html: Buffer, basePath: string): Buffer {
  const text = html.toString('utf8')
  return Buffer.from(text.replace('<base href="/console/"', `<base href="${basePath}/console/"`))
}
