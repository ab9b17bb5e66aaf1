import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { root } from './fresh.ts'
import { npm, type PackedFile } from './pack.ts'

export type Registry = { readonly url: string; stop(): void }

const manifestOf = ({ file }: PackedFile): object =>
  JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' })) as object

/**
 * A local npm registry that serves our packages as if they were published, and fetches everything else
 * from the real one. So the test runs what a user types: `npx exchequer dev`.
 */
export async function startRegistry(packed: readonly PackedFile[]): Promise<Registry> {
  const upstream = npm(['config', 'get', 'registry'], root).trim().replace(/\/$/, '')
  const server = createServer(({ url: path = '/' }, answer) => {
    const wanted = decodeURIComponent(path).slice(1)
    const own = packed.find(({ name }) => name === wanted)
    const tarball = packed.find(({ file }) => file.endsWith(`/${wanted.replace('tarballs/', '')}`))
    if (own) answer.setHeader('content-type', 'application/json').end(JSON.stringify(documentOf(own, url())))
    else if (tarball && wanted.startsWith('tarballs/')) answer.end(readFileSync(tarball.file))
    else void passOn(upstream + path, answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = () => `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    url: url(),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function passOn(url: string, answer: ServerResponse): Promise<void> {
  try {
    const { status, headers, body } = await fetch(url)
    answer.writeHead(status, { 'content-type': headers.get('content-type') ?? 'application/octet-stream' })
    if (body) await pipeline(Readable.fromWeb(body), answer)
    else answer.end()
  } catch {
    // npm retries.
    answer.destroy()
  }
}

function documentOf(packed: PackedFile, url: string): object {
  const { name, version, file, integrity } = packed
  const tarball = `${url}/tarballs/${file.slice(file.lastIndexOf('/') + 1)}`
  const one = { ...manifestOf(packed), dist: { tarball, integrity } }
  return { name, 'dist-tags': { latest: version }, versions: { [version]: one } }
}
