import assert from 'node:assert/strict'
import type { Answer } from '../../../tests/support/call.ts'
import { evmWallet, makeRealm, operator } from '../../../tests/support/fixture.ts'
import { asRealm } from '../../../tests/support/operator.ts'
import { operatorToken } from '../../../tests/support/process.ts'
import { scopes } from '../../src/keys/index.ts'
import type { TwoCells } from './twoCells.ts'

export type Guild = {
  readonly id: string
  readonly number: number
  readonly key: string
  /** An open hold of member 7. */
  readonly holdId: string
  readonly awardId: string
}

export type Send = (line: string, body?: object) => Promise<Answer>

/** Requests with the realm's key to one server. */
export const sending =
  (baseUrl: string, { id, key }: Pick<Guild, 'id' | 'key'>): Send =>
  (line, body) =>
    asRealm(baseUrl, { id, key }, { line, body })

async function did(answer: Promise<Answer>): Promise<Answer> {
  const { status, text } = await answer
  assert.ok(status >= 200 && status < 300, `${status} ${text}`)
  return answer
}

const inOneDay = () => new Date(Date.now() + 86_400_000).toISOString()

/** A realm with rows of every noun: members, wallets, keys, entries with details, holds, awards, webhooks. */
export async function makeGuild(cells: TwoCells, baseUrl: string, id: string): Promise<Guild> {
  const access = { baseUrl, token: operatorToken }
  await makeRealm(access, { id, unknownMembers: 'create' })
  const issue = { path: `/realms/${id}/keys`, body: { name: 'all', scopes } }
  const { key } = (await operator(access, 'POST', issue)) as { key: string }
  const send = sending(baseUrl, { id, key })
  await did(send('POST /points', { id: 'silver', name: 'Silver' }))
  await did(send('POST /members', { members: [{ id: '7', username: 'ann' }, { id: '8' }, { id: '9' }] }))
  await did(send('POST /members/7/wallets', { address: evmWallet.toLowerCase() }))
  for (const member of ['7', '8', '9'])
    await did(send(`PATCH /members/${member}/tokenBalance`, { tokens: 50, reason: `for ${member}\t\\n` }))
  const hold = await did(send('POST /members/7/holds', { tokens: 10, expiresIn: 86_400 }))
  const award = await did(send('POST /members/8/awards', { tokens: 4, grantAt: inOneDay() }))
  await did(send('POST /webhooks', { url: 'http://127.0.0.1:9/inbox' }))
  await operator(access, 'PATCH', { path: `/realms/${id}`, body: { rateLimit: { rate: 500, burst: 900 } } })
  const [row] = await cells.sql(0, 'select realm from realms where id = $1', [id])
  return { id, number: row.realm, key, holdId: hold.json.holdId, awardId: award.json.awardId }
}
