import { type Database, openDatabase } from '../../src/db/database.ts'
import type { Session } from '../../src/db/session.ts'

/** The names of the statements that were sent together, and waited for together. */
export type Trip = readonly string[]

/** A database that records the statements of dedicated sessions. Those of the pool are not recorded. */
export function watchedDatabase(url: string): WatchedLedger {
  const trips: Trip[] = []
  const failing = new Set<string>()
  const listeners: (() => void)[] = []
  const db = openDatabase(url)
  return {
    trips,
    failOver: () => {
      for (const listener of listeners) listener()
    },
    failNext: (name) => void failing.add(name),
    db: {
      ...db,
      open: async (settings) => watched(await db.open(settings), trips, failing),
      onFailover: (listener) => void listeners.push(listener),
    },
  }
}

export type WatchedLedger = {
  readonly db: Database
  readonly trips: Trip[]
  /** Makes PostgreSQL fail the next statement of this name. */
  readonly failNext: (name: string) => void
  /** As if a session were connected to another primary. */
  readonly failOver: () => void
}

function watched(session: Session, trips: Trip[], failing: Set<string>): Session {
  let together: string[] | undefined
  const note = (name: string) => {
    if (together) together.push(name)
    else trips.push([name])
  }
  const query = session.query.bind(session)
  const within = session.within.bind(session)
  const copy = session.copy.bind(session)
  const sendTogether = session.together.bind(session)
  session.query = (statement, values) => {
    note(statement.name)
    if (failing.delete(statement.name)) return query({ name: 'failing', text: 'select 1/0' }) as never
    return query(statement, values) as never
  }
  session.within = (realms) => {
    const own = within(realms)
    return {
      query(statement, values) {
        note(statement.name)
        return own.query(statement, values)
      },
    }
  }
  session.copy = (statement, rows) => {
    note(statement.name)
    return copy(statement, rows)
  }
  session.together = (work) => {
    together = []
    try {
      return sendTogether(work) as never
    } finally {
      trips.push(together)
      together = undefined
    }
  }
  return session
}
