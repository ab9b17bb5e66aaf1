import { hash as digest } from 'node:crypto'
import { openapi } from './openapi.ts'
import type { Reply } from './problem.ts'
import { referencePage, style } from './reference.ts'
import { publicRoute, type Route } from './route.ts'

/** The page runs no script and loads nothing from anywhere. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digest('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const readable = { 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' }

/**
 * The interface's own description, as JSON and as a page, made once from the routes. `basePath` is where a
 * proxy shows the server.
 */
export function docsRoutes(documented: readonly Route[], basePath: string): Route[] {
  // Buffers, as they are shared by all answers: clients that are slow to take theirs cost no copy each.
  const json: Reply = {
    status: 200,
    body: Buffer.from(JSON.stringify(openapi(documented, basePath))),
    headers: readable,
  }
  const page: Reply = {
    status: 200,
    body: Buffer.from(referencePage(documented)),
    type: 'text/html; charset=utf-8',
    headers: { ...readable, 'content-security-policy': policy },
  }
  return [
    publicRoute(
      { methods: ['GET'], path: '/openapi.json', summary: 'This description', writes: false },
      () => json,
    ),
    publicRoute(
      { methods: ['GET'], path: '/docs', summary: 'This description as a page', writes: false },
      () => page,
    ),
    publicRoute({ methods: ['GET'], path: '/', summary: 'Where to begin', writes: false }, () => ({
      status: 302,
      body: '',
      // Not relative: a base path may come without a slash at its end.
      headers: { location: `${basePath}/docs` },
    })),
  ]
}
