import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export type Page = {
  /** Whose requests the server must let pass. */
  readonly origin: string
  /** What the check printed in that browser. */
  run(browser: string, config: string): Promise<string>
  close(): void
}

/** A page that runs check.mjs, at an origin of its own, as a community's page would be. */
export async function startPage(): Promise<Page> {
  let config = ''
  let done: (printed: string) => void = () => {}
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'POST') {
      const chunks = await Array.fromAsync(request)
      response.end()
      return done(Buffer.concat(chunks as Buffer[]).toString())
    }
    const file = /^\/(runtimes\/check\.mjs|dist\/\w+\.js)$/.exec(request.url ?? '')?.[1]
    if (file) response.setHeader('content-type', 'text/javascript')
    else response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(file ? readFileSync(new URL(`../${file}`, import.meta.url)) : pageOf(config))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    async run(browser, handed) {
      config = handed
      const printed = new Promise<string>((resolve) => {
        done = resolve
      })
      return await browse(browser, `${origin}/`, printed)
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const pageOf = (config: string): string =>
  `<!doctype html><body data-config="${config.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">` +
  '<script type="module" src="/runtimes/check.mjs"></script>'

async function browse(browser: string, url: string, printed: Promise<string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-browser-'))
  const child = spawn(browser, [...flags, `--user-data-dir=${folder}`, '--remote-debugging-port=0', url], {
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, 120_000, '  ✖ the page did not end').unref()
  })
  try {
    return await Promise.race([printed, late])
  } finally {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
