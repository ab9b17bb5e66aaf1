import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { moreApps } from '../../../tests/support/apps.ts'
import { call } from '../../../tests/support/call.ts'
import { suite } from '../../../tests/support/suite.ts'

/** The console's files. */

const folder = mkdtempSync(join(tmpdir(), 'exchequer-console-'))
const dist = join(folder, 'dist')
mkdirSync(join(dist, 'assets'), { recursive: true })
writeFileSync(join(folder, 'secret.txt'), 'secret')
writeFileSync(join(dist, 'index.html'), '<!doctype html><base href="/console/"><title>Exchequer</title>')
writeFileSync(join(dist, 'assets', 'index-1a2b.js'), 'console.log(1)')
after(() => rmSync(folder, { recursive: true }))

const another = moreApps()
const made = suite({ CONSOLE_FOLDER: dist })
const get = (path: string, headers: Record<string, string> = {}, url = made.app.url) =>
  call('GET', `${url}${path}`, { headers })

describe('200', () => {
  it('returns the page at every client-side path', async () => {
    for (const path of [
      '/console/',
      '/console/realms/demo/members',
      '/console/index.html',
      '/console/a//b',
    ]) {
      const { status, text, headers } = await get(path)
      assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'], path)
      assert.ok(text.includes('<title>Exchequer</title>'))
      assert.equal(headers['cache-control'], 'no-cache')
    }
  })

  it('lets the page load only its own resources, and forbids frames', async () => {
    const { headers } = await get('/console/')
    const policy = String(headers['content-security-policy'])
    const [script, style, frame] = ['script-src', 'style-src', 'frame-ancestors'].map((name) =>
      policy.split('; ').find((one) => one.startsWith(name)),
    )
    assert.deepEqual(
      [script, style, frame],
      ["script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"],
    )
    assert.ok(policy.includes("default-src 'none'") && policy.includes("connect-src 'self'"))
    assert.ok(!policy.includes('unsafe'))
    assert.equal(headers['x-content-type-options'], 'nosniff')
  })

  it('lets browsers cache files with a hash in their name, compressed if accepted', async () => {
    const plain = await get('/console/assets/index-1a2b.js')
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.deepEqual([plain.text, plain.headers['content-encoding']], ['console.log(1)', undefined])
    const response = await fetch(`${made.app.url}/console/assets/index-1a2b.js`)
    assert.equal(response.headers.get('content-encoding'), 'gzip')
    assert.equal(await response.text(), 'console.log(1)')
  })

  it('works below the path of a proxy', async () => {
    const there = await another(made, { CONSOLE_FOLDER: dist, BASE_PATH: '/points' })
    const { text } = await get('/points/console/x', {}, there.url)
    assert.ok(text.includes('<base href="/points/console/">'))
    assert.equal((await get('/points/console', {}, there.url)).headers.location, '/points/console/')
  })
})

describe('404', () => {
  it('serves no file outside of its folder', async () => {
    const up = [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      'assets/../../secret.txt',
      '..%5csecret.txt',
    ]
    for (const path of [...up, 'assets/none.js', 'none.css', '/etc/passwd.txt', '%00.js']) {
      const { status, text } = await get(`/console/${path}`)
      assert.deepEqual([status, text.includes('secret.txt')], [404, false], path)
    }
    assert.equal((await get('/console/%zz')).status, 400)
  })

  it('says how to build a missing console', async () => {
    const bare = await another(made, { CONSOLE_FOLDER: folder })
    const { status, json } = await get('/console/', {}, bare.url)
    assert.deepEqual([status, json.code], [404, 'not_set_up'])
    assert.match(json.detail, /npm run build/)
  })
})

describe('401', () => {
  it('returns a problem, not the page, below /console/session', async () => {
    for (const path of ['session/none', 'session/operator-token/1', 'session/']) {
      const { status, json } = await get(`/console/${path}`)
      assert.deepEqual([status, json.code], [401, 'unauthorized'], path)
    }
  })
})

describe('405', () => {
  it('answers no other method', async () => {
    const answer = await call('POST', `${made.app.url}/console/`, { body: {} })
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'])
  })
})
