import { readFileSync } from 'node:fs'

/** Of this package; its manifest is one folder up from the sources, and from what is built. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
