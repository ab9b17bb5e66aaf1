import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import { repositoryText, siteText, summaryOf } from '../llms.ts'
import { pages, read, root, sections } from '../pages.ts'

describe('llms.txt', () => {
  it('is what the guide says today', () => {
    assert.equal(read('llms.txt'), repositoryText(), 'run npm run gen')
  })

  it('has every page of the navigation once, and links only to files that exist', () => {
    const links = [...read('llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file)
    const listed = sections.flatMap((section) => section.pages.map(({ file }) => file))
    assert.deepEqual(links.toSorted(), ['server/openapi.json', ...listed].toSorted())
    assert.deepEqual(
      links.filter((file) => !existsSync(root + file)),
      [],
    )
  })

  it('leads to pages and the document on the site', () => {
    const links = [...siteText().matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => url)
    assert.deepEqual(
      links.filter((url) => !/^\/[\w/-]+\.html$/.test(url)),
      ['/openapi.json'],
    )
  })

  it('describes a page by its first sentence', () => {
    assert.equal(summaryOf('# Title\n\nA [link](a.md) to `code`\n1.0. More.\n\nRest'), 'A link to code 1.0')
    assert.equal(summaryOf('# Title\n\n<!-- x -->\n\nOne: sentence:\n\n- item'), 'One: sentence')
    for (const block of ['## Next', '| a |', '```sh\nx\n```', '- item', '    code'])
      assert.equal(summaryOf(`# Title\n\n${block}`), '')
    const without = pages.filter(({ file }) => /^docs\/[a-z]+\.md/.test(file) && !summaryOf(read(file)))
    // A generated list.
    assert.deepEqual(
      without.map(({ file }) => file),
      ['docs/errors.md'],
    )
  })
})
