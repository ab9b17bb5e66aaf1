import { registerHooks } from 'node:module'
import { plants } from './plants.ts'

/**
 * Loaded into a server (node --import) to plant a bug in it: PLANT names it. A text that is missing in the
 * source is an error of this list, not a missed bug.
 */
const plant = plants[process.env['PLANT'] ?? '']
if (plant) {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(`/server/src${plant.file}`)) return loaded
      const { source: given = '' } = loaded
      const source = typeof given === 'string' ? given : new TextDecoder().decode(given as Uint8Array)
      if (!source.includes(plant.text)) throw new Error(`${plant.file} no longer has: ${plant.text}`)
      return { ...loaded, source: source.replace(plant.text, () => plant.planted) }
    },
  })
}
