import { copyFileSync, writeFileSync } from 'node:fs'
import { build } from 'vitepress'
import { checkLinks } from './deadLinks.ts'
import { generate } from './generate.ts'
import { siteText } from './llms.ts'
import { root } from './pages.ts'

/** npm run site: builds the guide with VitePress into site/dist, and checks the links of what it built. */
const out = `${root}site/dist`
generate()
try {
  await build(`${root}site`)
} catch (error) {
  // Its message names the file; the rest is VitePress's stack.
  console.error(String(error))
  process.exit(1)
}
copyFileSync(`${root}server/openapi.json`, `${out}/openapi.json`)
writeFileSync(`${out}/llms.txt`, siteText())
const { pages, dead, external } = checkLinks(out)
for (const href of external) console.log(`external, not followed: ${href}`)
for (const link of dead) console.error(`dead link in ${link}`)
console.log(`${pages} pages in site/dist, ${dead.length} dead links`)
if (dead.length > 0) process.exitCode = 1
