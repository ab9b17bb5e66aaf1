import assert from 'node:assert/strict'
import { type Command, fingerprintOf, makeDetails, type Outcome, requestOf } from '../../src/ledger/index.ts'
import { type Answer, type Request, type Rule, statuses } from './dailyRequests.ts'
import type { Item } from './dailySteps.ts'

/** A request as the HTTP handler passes it on. */
export function commandOf(realm: number, request: Request): Command {
  const { id: requestId, kind, reason, idempotencyKey, dry } = request
  const details = { reason, reference: undefined, metadata: undefined, actorId: undefined }
  const point = 'member' in request ? request.point : undefined
  const fingerprint = fingerprintOf({ kind, said: saidBy(request), point, details })
  const retry = idempotencyKey === undefined ? undefined : { request: requestOf(idempotencyKey), fingerprint }
  const { id: _, idempotencyKey: __, reason: ___, ...rest } = request
  return { ...rest, realm, key: 1, requestId, retry, details: makeDetails(details), dry } as Command
}

function saidBy(request: Request): (string | undefined)[] {
  switch (request.kind) {
    case 'batch':
      return request.changes.flatMap(({ member, tokens, point }) => [member, String(tokens), point])
    case 'reverse':
      return [String(request.entry)]
    case 'capture':
      return [String(request.hold), request.tokens?.toString()]
    case 'release':
    case 'expire':
      return [String(request.hold)]
    case 'hold':
      return [request.member, String(request.tokens), String(request.forUs)]
    case 'transfer':
      return [request.member, request.recipient, String(request.tokens)]
    default:
      return [request.member, undefined, String(request.tokens)]
  }
}

/** An outcome in the model's terms. */
export function answerOf(outcome: Outcome): Answer {
  if (outcome.kind === 'done') {
    const { about, replayed } = outcome
    const receipts = outcome.receipts.map(({ seq, atUs, amount, fromBalance, toBalance }) => {
      return { seq, atUs, amount, giverHas: fromBalance, receiverHas: toBalance }
    })
    const parties = about && { giver: about.from, receiver: about.to, point: about.point }
    return { code: 'done', receipts, about: parties, replayed }
  }
  if (outcome.kind === 'recalled') {
    const { code, requestId } = JSON.parse(outcome.body) as { code: Rule; requestId: string }
    return { code, requestId, replayed: true }
  }
  const { refusal, requestId, replayed } = outcome
  return { code: refusal.code as Rule, requestId, replayed }
}

/** A dry run has the same outcome as the real request, when nothing came between. */
export function checkTries(items: readonly Item[], given: readonly (readonly Answer[])[]): void {
  items.forEach(({ earnestNext }, index) => {
    const tried = given[index] ?? []
    if (earnestNext) assert.deepEqual(tried, given.slice(index + 1, index + 1 + tried.length).flat())
  })
}

const kinds = ['adjust', 'opening', 'transfer', 'batch', 'reverse', 'hold', 'capture', 'release', 'expire']

/** Rules for each type of request, in addition to the common ones. */
const rulesOf: Readonly<Record<string, readonly Rule[]>> = {
  adjust: ['member_frozen', 'insufficient_points', 'balance_limit'],
  opening: ['member_frozen', 'insufficient_points', 'balance_limit'],
  transfer: ['recipient_not_found', 'same_member', 'not_transferable', 'member_frozen', 'transfer_limit'],
  batch: ['point_not_found', 'member_not_found', 'member_frozen', 'insufficient_points', 'balance_limit'],
  reverse: ['entry_not_found', 'already_reversed', 'not_reversible', 'insufficient_points'],
  hold: ['point_not_found', 'member_not_found', 'member_frozen', 'insufficient_points'],
  capture: ['hold_not_found', 'hold_ended', 'member_frozen', 'insufficient_points'],
  release: ['hold_not_found', 'hold_ended'],
  expire: ['hold_not_found', 'hold_ended'],
}

/** Counts outcomes by type of request, so that a run that never reached a rule is noticed. */
export class DailyTally {
  readonly #counts = new Map<string, number>()

  add({ requests, rehearsal, answers }: Item): void {
    requests.forEach(({ kind, dry }, index) => {
      const { code = '', replayed = false } = answers[index] ?? {}
      const how = [rehearsal ? ' rehearsed' : '', dry ? ' dry' : '', replayed ? ' again' : ''].find(Boolean)
      for (const name of [`${kind} ${code}${how ?? ''}`, `${code}${how ?? ''}`]) {
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
      }
    })
  }

  /** Every rule, and every type done; if thorough, each of them also replayed and as a dry run. */
  missing(thoroughly: boolean): string[] {
    const rules = (Object.keys(statuses) as Rule[]).filter((rule) => rule !== 'idempotency_key_reused')
    const lasting = rules.filter((rule) => statuses[rule] === 422)
    const passing = rules.filter((rule) => statuses[rule] !== 422)
    const ways = thoroughly ? ['', ' again', ' dry', ' rehearsed'] : ['']
    const each = [
      ...kinds.flatMap((kind) => (rulesOf[kind] ?? []).map((rule) => `${kind} ${rule}`)),
      ...kinds.map((kind) => `${kind} idempotency_key_reused`),
      ...['adjust', 'transfer', 'opening'].map((kind) => `${kind} precondition_failed`),
    ]
    const names = [
      ...lasting.flatMap((rule) => ways.map((way) => `${rule}${way}`)),
      ...kinds.flatMap((kind) => ways.map((way) => `${kind} done${way}`)),
      ...passing,
      'done again',
      'idempotency_key_reused',
      ...(thoroughly ? each : []),
    ]
    for (const rule of passing) assert.ok(!this.#counts.has(`${rule} again`), `${rule} was remembered`)
    return names.filter((name) => !this.#counts.has(name))
  }
}
