import { DatabaseSync } from 'node:sqlite'
import type { WebhookEvent } from '@exchequer/sdk/webhooks'

/**
 * The webhooks that a program has received, in a file: stored before they are answered, handled afterwards,
 * each id once. A program that is killed finds the unhandled ones when it starts again. In your program this
 * is a table of its own database.
 */
export class Inbox {
  readonly #db: DatabaseSync

  constructor(file: string) {
    this.#db = new DatabaseSync(file)
    this.#db.exec(`create table if not exists inbox
      (id text primary key, event text, retry_at_ms integer not null default 0)`)
  }

  /** False for an id that it has: a retry, or a replay. */
  store(event: WebhookEvent): boolean {
    const insert = this.#db.prepare('insert into inbox (id, event) values (?, ?) on conflict do nothing')
    return insert.run(event.id, JSON.stringify(event)).changes === 1
  }

  /** The oldest event that is to be handled now. */
  next(): WebhookEvent | undefined {
    const select = this.#db.prepare(
      'select event from inbox where event is not null and retry_at_ms <= ? order by rowid limit 1',
    )
    const row = select.get(Date.now()) as { event: string } | undefined
    return row && (JSON.parse(row.event) as WebhookEvent)
  }

  /** Keeps the id, and nothing else. */
  finish({ id }: WebhookEvent): void {
    this.#db.prepare('update inbox set event = null where id = ?').run(id)
  }

  /** Handles it again later, and others before it. */
  postpone({ id }: WebhookEvent, byMs: number): void {
    this.#db.prepare('update inbox set retry_at_ms = ? where id = ?').run(Date.now() + byMs, id)
  }
}
