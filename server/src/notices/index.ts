import { randomBytes } from 'node:crypto'
import type { Writable } from '../db/session.ts'
import { eraseNotices, insertNotices } from './store.ts'

/** Events that are not in the journal. Webhooks send them. */
export const noticeTypes = [
  'member.created',
  'member.changed',
  'member.merged',
  'member.removed',
  'member.erased',
  'members.imported',
  'points.lapsing',
  'wallet.linked',
  'wallet.unlinked',
  'key.created',
  'key.revoked',
  'key.expiring',
  'checkpoint.signed',
  'endpoint.disabled',
] as const

export type NoticeType = (typeof noticeTypes)[number]

export type Notice = {
  readonly type: NoticeType
  /** Whom it is about. The member's id is looked up when the notice is sent: a member can be erased. */
  readonly account?: number | undefined
  readonly data: object
}

/**
 * Adds notices, in the transaction that causes them, which is bound to the realm. Only those that a webhook
 * of the realm selects are stored. It locks the numbers of the realm's notices, so it is the last statement.
 */
export async function addNotices(tx: Writable, realm: number, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  const rows = notices.map(({ type, account, data }) => {
    return { type, account, data: JSON.stringify(data), mark: randomBytes(8).toString('hex') }
  })
  await insertNotices(tx, realm, rows)
}

/** The data of notices that have to name the member: its account is gone when they are sent. */
export const goneMember = (id: string) => ({ memberId: id })

/** Removes what notices say about a member, in the transaction that erases it. */
export async function forgetNotices(
  tx: Writable,
  realm: number,
  { account, id }: { readonly account: number; readonly id: string },
): Promise<void> {
  await eraseNotices(tx, realm, { account, removal: JSON.stringify(goneMember(id)) })
}
