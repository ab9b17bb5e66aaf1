import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import type { Page, Response } from 'playwright-core'
import { demo, play } from './support/stage.ts'

const made = play()

/** An empty page of another origin; the tests run scripts in it. */
const elsewhere = createServer((_, response) => {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Win a prize</title>')
})
before(async () => {
  elsewhere.listen(0)
  await once(elsewhere, 'listening')
})
after(() => elsewhere.close())

/** A browser sends no cookie cross-site (401); it does from another port of the same host (403). */
const sites = [
  { name: 'another site', host: 'localhost', status: 401 },
  { name: 'a neighbour on the same host', host: '127.0.0.1', status: 403 },
]

/** Ann, signed in, opens a page of another origin. */
async function lured(host: string) {
  const visit = await made.signedIn('owner', demo)
  await visit.page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
  await visit.page.goto(`http://${host}:${(elsewhere.address() as AddressInfo).port}/`)
  return visit
}

/** Our server's response to a script in the page. */
async function answerTo(page: Page, path: string, script: string): Promise<Response> {
  const [answer] = await Promise.all([
    page.context().waitForEvent('response', (response) => new URL(response.url()).pathname === path),
    page.evaluate(`void (() => { ${script} })()`),
  ])
  return answer
}

describe('a page of another origin', () => {
  for (const { name, host, status } of sites) {
    it(`on ${name} gets no session token with the visitor’s cookie`, async () => {
      const { page, close } = await lured(host)
      const path = '/console/session/keys'
      const target = `${made.stage.url}${path}`
      // text/plain can be sent without a CORS preflight; JSON can't.
      const script = `fetch('${target}', { method: 'POST', mode: 'no-cors', credentials: 'include',
        body: '{"realm":"${demo}"}' })`
      const answer = await answerTo(page, path, script)
      assert.equal(answer.status(), status)
      const json = script.replace("mode: 'no-cors'", "headers: { 'content-type': 'application/json' }")
      assert.equal(await page.evaluate(`${json}.then(() => 'read', () => 'kept out')`), 'kept out')
      await close()
    })

    it(`on ${name} can’t sign in as another person with a form`, async () => {
      const { page, close } = await lured(host)
      const path = '/console/sign-in/link'
      const field = '<input name="{&quot;token&quot;:&quot;x" value="&quot;}">'
      const form = `<form method="post" enctype="text/plain" action="${made.stage.url}${path}">${field}</form>`
      const script = `document.body.innerHTML = '${form}'; document.forms[0].submit()`
      const answer = await answerTo(page, path, script)
      assert.equal(answer.status(), 415)
      await page.waitForURL(`**${path}`)
      await page.goto(`${made.stage.url}/console/r/${demo}`)
      await page.getByRole('heading', { name: 'Lantern Guild' }).waitFor()
      await close()
    })

    it(`on ${name} can’t embed the console in a frame`, async () => {
      const { page, close } = await lured(host)
      const script = `document.body.innerHTML = '<iframe src="${made.stage.url}/console/r/${demo}"></iframe>'`
      await answerTo(page, `/console/r/${demo}`, script)
      await page.waitForTimeout(500)
      const [, frame] = page.frames()
      assert.ok(frame)
      assert.equal(await frame.getByText('Lantern Guild').count(), 0)
      assert.match(frame.url(), /^chrome-error:/)
      await close().catch((error: Error) => assert.match(error.message, /frame-ancestors/))
    })
  }
})
