import { appendFileSync } from 'node:fs'
import { StallWatch } from './stalls.ts'

/**
 * Appends to a file, until it is stopped, when this machine stalled and for how many milliseconds:
 *   node watch.ts FILE
 * A line is when it ended, in seconds since 1970, and how long it was.
 */
const [file = ''] = process.argv.slice(2)
const watch = new StallWatch()
setInterval(() => {
  const lines = watch.stalls.splice(0).map(({ toMs, lateMs }) => {
    const endedMs = Date.now() - (performance.now() - toMs)
    return `${Math.round(endedMs / 1_000)} ${lateMs}\n`
  })
  if (lines.length > 0) appendFileSync(file, lines.join(''))
}, 500)
