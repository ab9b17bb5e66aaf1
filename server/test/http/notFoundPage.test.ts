import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { suite } from '../../../tests/support/suite.ts'

const made = suite()
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const open = (path: string, accept = browser) => fetch(made.app.url + path, { headers: { accept } })

describe('404', () => {
  it('a browser gets a page that says what is missing, without script', async () => {
    for (const [path, text] of [
      ['/boards/unknown', 'no public leaderboard'],
      ['/link', 'This link is not complete'],
      ['/nothing?a=<b>', 'nothing at this address'],
    ] as const) {
      const answer = await open(path)
      const body = await answer.text()
      assert.equal(answer.status, 404, path)
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
      assert.ok(body.includes(text) && body.includes('<h1>Page not found</h1>'), body)
      assert.ok(!body.includes('<b>'))
    }
  })

  it('a program gets the problem, and so does a browser at an address of the API', async () => {
    for (const [path, accept] of [
      ['/boards/unknown', '*/*'],
      ['/boards/unknown', 'application/json'],
      ['/api/v4/nothing', browser],
      ['/operator/v1/nothing', browser],
    ] as const) {
      const answer = await open(path, accept)
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, path)
    }
  })
})
