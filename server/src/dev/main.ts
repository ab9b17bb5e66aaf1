import { fileURLToPath } from 'node:url'
import { buildConsole } from './buildConsole.ts'
import { dev } from './dev.ts'

/** npm run dev: like `exchequer dev`, from the sources, and restarted whenever one of them changes. */
const clone = fileURLToPath(new URL('../../..', import.meta.url))
buildConsole(clone)
process.exitCode = await dev(process.argv.slice(2), {
  home: import.meta.url,
  folder: `${clone}.data`,
  watch: true,
})
