import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Site } from '../../src/http/wire/site.ts'

describe('a one-time link', () => {
  const site = new Site({ publicOrigin: undefined, basePath: '' })

  it('uses the Host header only for this machine’s own names', () => {
    for (const host of ['localhost:8080', '127.0.0.1:18480', '[::1]:80'])
      assert.equal(site.linkOf('exl_x', { host }), `http://${host}/console/#link=exl_x`)
    for (const host of ['evil.example', 'exq_abcdef', 'localhost.evil.example', ''])
      assert.equal(site.linkOf('exl_x', { host }), 'http://localhost/console/#link=exl_x')
  })

  it('uses PUBLIC_URL', () => {
    const known = new Site({ publicOrigin: 'https://points.example.com', basePath: '/p' })
    const link = known.linkOf('exl_x', { host: 'evil.example' })
    assert.equal(link, 'https://points.example.com/p/console/#link=exl_x')
  })
})
