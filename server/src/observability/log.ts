import { type DestinationStream, type Logger, pino } from 'pino'
import { withoutKeys } from '../keys/index.ts'

/** The log. PostgreSQL repeats in its errors what it was sent, so no line leaves without a look for keys. */
export function makeLog(level: string, to: DestinationStream = pino.destination(1)): Logger {
  return pino({ level, hooks: { streamWrite: withoutKeys } }, to)
}
