import { hash as digest } from 'node:crypto'
import type { Reply } from '../problem.ts'

/** What a person sees at an address without a page. Programs get the problem. */

const style = `
:root { color-scheme: light dark; --ink: #161b24; --soft: #586173; --ground: #f6f7f9; --accent: #2f5bd8 }
@media (prefers-color-scheme: dark) { :root { --ink: #e9ecf1; --soft: #9aa4b5; --ground: #0e1116;
  --accent: #8badff } }
body { margin: 0; color: var(--ink); background: var(--ground); font: 16px/1.5 system-ui, sans-serif }
main { display: grid; align-content: center; justify-items: center; min-height: 100vh; min-height: 100dvh;
  box-sizing: border-box; padding: 1rem; text-align: center }
svg { width: 3rem; height: 3rem; margin-bottom: 1rem }
h1 { margin: 0; font-size: 1.5rem }
p { max-width: 28rem; margin: .5rem 0 0; color: var(--soft) }
a { color: var(--accent) }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${digest('sha256', style, 'base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const mark = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#2f5bd8"/>
<path fill="#fff" d="M9.5 8H16v8H8V9.5A1.5 1.5 0 0 1 9.5 8ZM16 16h8v6.5a1.5 1.5 0 0 1-1.5 1.5H16v-8Z"/>
<path fill="#fff" opacity=".4"
d="M16 8h6.5A1.5 1.5 0 0 1 24 9.5V16h-8V8ZM8 16h8v8H9.5A1.5 1.5 0 0 1 8 22.5V16Z"/>
</svg>`

const why = (path: string): string => {
  if (/^\/boards(\/|$)/.test(path))
    return (
      'There is no public leaderboard at this address. ' +
      'Perhaps it is no longer public, or the link is cut off.'
    )
  if (/^\/link(\/|$)/.test(path)) return 'This link is not complete. Open it again from the message you got.'
  return 'There is nothing at this address. Perhaps the link is old, or cut off.'
}

type Asked = {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly accept?: string | undefined }
}

/** The page in place of a 404, for a browser that opens an address; paths of the API have the problem. */
export function notFoundPage(reply: Reply, { method, url = '', headers }: Asked, basePath: string): Reply {
  const [path = ''] = url.split('?')
  const isProgram = method !== 'GET' || !headers.accept?.includes('text/html')
  if (reply.status !== 404 || isProgram || /^\/(api|operator)(\/|$)/.test(path)) return reply
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>Page not found</title><style>${style}</style></head>
<body><main>${mark}<h1>Page not found</h1><p>${why(path)}</p>
<p><a href="${basePath}/console/">Open the console</a></p></main></body></html>
`
  return {
    ...reply,
    body,
    type: 'text/html; charset=utf-8',
    headers: {
      ...reply.headers,
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      vary: 'Accept',
    },
  }
}
