import { type DestinationStream, type Logger, pino } from 'pino'
import { withoutKeys } from '../keys/index.ts'

/** The log. PostgreSQL repeats its input in error messages, so every line is searched for keys and masked. */
export function makeLog(level: string, to: DestinationStream = pino.destination(1)): Logger {
  return pino({ level, hooks: { streamWrite: withoutKeys } }, to)
}
