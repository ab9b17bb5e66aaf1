import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rowsOf } from '../../../tests/support/books.ts'
import { type ManagedRealm, managed } from '../../../tests/support/manager.ts'
import { Receiver } from '../../../tests/support/receiver.ts'
import type { Suite } from '../../../tests/support/suite.ts'

export type Hooked = ManagedRealm & {
  readonly to: Receiver
  /** The webhook, not the realm. */
  readonly webhookId: string
  readonly secret: string
  readonly webhook: () => Promise<Record<string, unknown>>
}

/** What tests of webhooks share. Receivers are closed after each test. */
export function hooks(made: Suite) {
  const receivers: Receiver[] = []
  afterEach(() => {
    for (const receiver of receivers.splice(0)) receiver.close()
  })
  const listen = async (): Promise<Receiver> => {
    const receiver = await Receiver.start()
    receivers.push(receiver)
    return receiver
  }
  const rows = (text: string, values: unknown[] = []) => rowsOf(made.database.superuserUrl, text, values)
  return {
    listen,
    rows,
    /** A realm with two members and a webhook. */
    hooked: async (settings: object = {}): Promise<Hooked> => {
      const realm = await managed(made)
      await realm.send('POST /members', { members: [{ id: 1 }, { id: 2 }] })
      const to = await listen()
      const { status, json, text } = await realm.send('POST /webhooks', { url: to.url, ...settings })
      assert.equal(status, 201, text)
      const webhook = async () => (await realm.send(`GET /webhooks/${json.id}`)).json
      return { ...realm, to, webhookId: json.id, secret: json.secret, webhook }
    },
    /** Makes whatever is scheduled for later due now. */
    hurry: async (): Promise<void> => {
      await rows('update parked set next_at = now()')
      await rows('update endpoints set next_at = now() where next_at is not null')
    },
  }
}

export const adjust = ({ send }: ManagedRealm, tokens: number, member = 1) =>
  send(`PATCH /members/${member}/tokenBalance`, { tokens })

export async function until(check: () => Promise<boolean>, withinMs = 10_000): Promise<void> {
  for (const endMs = performance.now() + withinMs; performance.now() < endMs; await sleep(20))
    if (await check()) return
  assert.fail('it did not happen in time')
}

/** Posts many entries at once. */
export async function post({ send }: ManagedRealm, count: number): Promise<void> {
  const batch = (size: number) => ({
    changes: Array.from({ length: size }, () => ({ memberId: '1', tokens: 1 })),
  })
  for (let left = count; left > 0; left -= 1_000) {
    const { status, text } = await send('POST /changes', batch(Math.min(left, 1_000)))
    assert.equal(status, 200, text)
  }
}
