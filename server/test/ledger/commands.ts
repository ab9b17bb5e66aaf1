import assert from 'node:assert/strict'
import { type Command, fingerprintOf, makeDetails, type Outcome, requestOf } from '../../src/ledger/index.ts'
import type { Item } from './commandGenerator.ts'
import { type Answer, type Change, noDetails, type Request, type Rule, statuses } from './requests.ts'

/** A request as the HTTP handler passes it on. */
export function commandOf(realm: number, request: Request): Command {
  const { id: requestId, reason, idempotencyKey, ...rest } = request
  const details = { reason, reference: undefined, metadata: undefined, actorId: undefined }
  const point = 'member' in request ? request.point : undefined
  const fingerprint = fingerprintOf({ kind: request.kind, said: valuesOf(request), point, details })
  const retry = idempotencyKey === undefined ? undefined : { request: requestOf(idempotencyKey), fingerprint }
  const tags = request.ifMatch && { ifMatch: request.ifMatch.flatMap(tagsOf) }
  return { ...rest, ...tags, realm, key: 1, requestId, retry, details: makeDetails(details) } as Command
}

/** The model's members have no account numbers: a tag of each that there may be. */
const tagsOf = (seq: bigint) => Array.from({ length: 100 }, (_, account) => ({ seq, account }))

function valuesOf(request: Request): (string | undefined)[] {
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

/** A change of points; a transfer if it has a recipient. */
export type SimpleChange = Omit<Change, 'point'> & {
  readonly id?: string
  readonly recipient?: string | undefined
  readonly point?: string
  readonly reason?: string
  readonly idempotencyKey?: string
}

let count = 0
export function changeCommand(realm: number, change: SimpleChange): Command {
  const { recipient } = change
  const common = { ...noDetails, id: `request-${++count}`, point: undefined, ifMatch: undefined, ...change }
  const kind = recipient === undefined ? 'adjust' : 'transfer'
  return commandOf(realm, { ...common, kind, recipient } as Request)
}

/** An outcome in the model's terms. */
export function answerOf(outcome: Outcome): Answer {
  if (outcome.kind === 'done') {
    const { about, replayed } = outcome
    const receipts = outcome.receipts.map(({ seq, atUs, amount, fromBalance, toBalance }) => {
      return { seq, atUs, amount, fromBalance, toBalance }
    })
    return { code: 'done', receipts, about, replayed }
  }
  if (outcome.kind === 'recalled') {
    const { code, requestId } = JSON.parse(outcome.body) as { code: Rule; requestId: string }
    return { code, requestId, replayed: true }
  }
  const { refusal, requestId, replayed } = outcome
  return { code: refusal.code as Rule, requestId, replayed }
}

/** Each outcome is the model's, and a dry run has that of the real request, when nothing came between. */
export function checkAnswers(items: readonly Item[], given: readonly (readonly Answer[])[]): void {
  assert.deepEqual(
    given,
    items.map(({ answers }) => answers),
  )
  items.forEach(({ realNext }, index) => {
    const dry = given[index] ?? []
    if (realNext) assert.deepEqual(dry, given.slice(index + 1, index + 1 + dry.length).flat())
  })
}

/** Rules for each type of request, in addition to the common ones. */
const rulesOf: Readonly<Record<Request['kind'], readonly Rule[]>> = {
  adjust: ['member_frozen', 'insufficient_points', 'balance_limit', 'precondition_failed'],
  opening: ['member_frozen', 'insufficient_points', 'balance_limit', 'precondition_failed'],
  transfer: [
    ...(['recipient_not_found', 'same_member', 'not_transferable', 'member_frozen'] as const),
    ...(['transfer_limit', 'precondition_failed'] as const),
  ],
  batch: ['point_not_found', 'member_not_found', 'member_frozen', 'insufficient_points', 'balance_limit'],
  reverse: ['entry_not_found', 'already_reversed', 'not_reversible', 'insufficient_points'],
  hold: ['point_not_found', 'member_not_found', 'member_frozen', 'insufficient_points'],
  capture: ['hold_not_found', 'hold_ended', 'member_frozen', 'insufficient_points'],
  release: ['hold_not_found', 'hold_ended'],
  expire: ['hold_not_found', 'hold_ended'],
}
const kinds = Object.keys(rulesOf) as Request['kind'][]
const rules = Object.keys(statuses) as Rule[]
const retryable = rules.filter((rule) => statuses[rule] !== 422)
const remembered = rules.filter((rule) => statuses[rule] === 422 && rule !== 'idempotency_key_reused')

/** The outcomes by type of request, so that a run that never reached a rule is noticed. */
export class ReachedOutcomes {
  readonly #names = new Set<string>()

  add({ requests, rehearsal, answers }: Item): void {
    requests.forEach(({ kind, dry }, index) => {
      const { code = '', replayed = false } = answers[index] ?? {}
      const how = [rehearsal ? ' rehearsed' : '', dry ? ' dry' : '', replayed ? ' again' : ''].find(Boolean)
      this.#names.add(`${kind} ${code}${how ?? ''}`).add(`${code}${how ?? ''}`)
    })
  }

  /** Every rule, and every type done. */
  missing(): string[] {
    return this.#missing([...rules, ...kinds.map((kind) => `${kind} done`), 'done again'])
  }

  /** Of simple sequences: adjustments and transfers. */
  missingSimple(): string[] {
    const done = ['done', 'same_member', 'insufficient_points', 'balance_limit']
    const other = ['point_not_found', 'member_not_found', 'recipient_not_found', 'idempotency_key_reused']
    return this.#missing([...done.flatMap((name) => [name, `${name} again`]), ...other])
  }

  /** Every rule of every type, and each of them also replayed and as a dry run. */
  missingThoroughly(): string[] {
    const ways = ['', ' again', ' dry', ' rehearsed']
    const lasting = [...remembered, ...kinds.map((kind) => `${kind} done`)]
    const each = kinds.flatMap((kind) =>
      [...rulesOf[kind], 'idempotency_key_reused'].map((rule) => `${kind} ${rule}`),
    )
    return [
      ...this.missing(),
      ...this.#missing([...lasting.flatMap((name) => ways.map((way) => `${name}${way}`)), ...each]),
    ]
  }

  #missing(names: readonly string[]): string[] {
    for (const rule of retryable) assert.ok(!this.#names.has(`${rule} again`), `${rule} was remembered`)
    return names.filter((name) => !this.#names.has(name))
  }
}
