import { fileURLToPath } from 'node:url'
import { dev } from './dev.ts'

/** npm run dev: as `exchequer dev`, beside the sources, and restarted whenever one of them changes. */
const folder = fileURLToPath(new URL('../../../.data', import.meta.url))
process.exitCode = await dev(process.argv.slice(2), { home: import.meta.url, folder, watch: true })
