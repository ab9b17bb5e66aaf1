import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { checkLinks } from '../deadLinks.ts'
import { slugOf, urlOf } from '../links.ts'

describe('the check of the built guide', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exchequer-links-'))
  const page = (links: string) => `<h1 id="first">First</h1><pre>&lt;a href="code.html"&gt;</pre>${links}`
  const found = (links: string) => {
    writeFileSync(join(folder, 'index.html'), page(links))
    return checkLinks(folder)
  }

  before(() => {
    mkdirSync(join(folder, 'operate'))
    writeFileSync(join(folder, 'operate/index.html'), page('<a class="up" href="../#first">Up</a>'))
    writeFileSync(join(folder, 'icon.svg'), '<svg/>')
  })
  after(() => rmSync(folder, { recursive: true }))

  it('accepts links to pages, folders, anchors, pictures and embedded pictures', () => {
    const links = ['/operate/', 'operate/index.html#first', '#first', '/icon.svg', '#']
    const html = links.map((href) => `<a href="${href}">x</a>`).join('')
    const report = found(`${html}<img alt="" src="/icon.svg"><img src="data:image/svg+xml,x">`)
    assert.deepEqual(report, { pages: 2, dead: [], external: [] })
  })

  it('finds a missing page, a missing picture, and an anchor that no element has', () => {
    const report = found(
      '<a href="/missing/..%2Findex.html">x</a><img src="/b.png"><a href="/operate/#second">x</a>',
    )
    const dead = [
      'index.html: /b.png',
      'index.html: /missing/..%2Findex.html',
      'index.html: /operate/#second',
    ]
    assert.deepEqual(report.dead, dead)
  })

  it('lists links to other hosts', () => {
    assert.deepEqual(found('<a href="https://example.com/a">x</a>').external, ['https://example.com/a'])
  })
})

describe('a link of a Markdown file', () => {
  it('leads to the page of a Markdown file, or of the README of a folder', () => {
    assert.equal(urlOf('operate/backup.md#restore', 'docs/start.md'), '/operate/backup.html#restore')
    assert.equal(urlOf('../README.md', 'docs/start.md'), '/project/readme.html')
    assert.equal(urlOf('../sdk', 'docs/start.md'), '/sdk/index.html')
    assert.equal(urlOf('README.md', 'docs/start.md'), '/index.html')
  })

  it('leads to the source of any other file, and to the API for the OpenAPI document', () => {
    assert.equal(urlOf('../biome.json', 'docs/start.md'), '/source/biome.json.html')
    assert.equal(urlOf('../server/openapi.json', 'docs/start.md'), '/api/')
  })

  it('is dead if the file does not exist, is outside of the project, or only exists in the site', () => {
    assert.equal(urlOf('nothing.md', 'docs/start.md'), '/missing/nothing.md')
    assert.equal(urlOf('../../etc', 'docs/start.md'), '/missing/..%2F..%2Fetc')
    assert.equal(urlOf('/operate/', 'docs/start.md'), '/missing/%2Foperate%2F')
    assert.equal(urlOf('../start.html', 'docs/operate/people.md'), '/missing/..%2Fstart.html')
  })

  it('to a heading has the anchor that GitHub gives it', () => {
    assert.equal(slugOf('`PATCH` a member’s name: 2 rules'), 'patch-a-members-name-2-rules')
  })
})
