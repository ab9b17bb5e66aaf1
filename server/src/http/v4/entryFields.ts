import type { Caller } from '../../keys/index.ts'
import type { Recorded } from '../../ledger/index.ts'
import {
  date,
  memberIdAnswer,
  nullable,
  personAnswer,
  pointId,
  Type,
  transactionId,
} from '../route/schemas.ts'
import { isoOf } from '../route/times.ts'
import { parseJson } from '../wire/json.ts'

/** What every way to read entries has in common. */

export const typeAnswer = Type.Union(
  [
    Type.Literal('adjust'),
    Type.Literal('transfer'),
    Type.Literal('reversal'),
    Type.Literal('hold'),
    Type.Literal('capture'),
    Type.Literal('release'),
    Type.Literal('expiry'),
    Type.Literal('opening'),
    Type.Literal('claim'),
  ],
  { description: 'What change it is.' },
)

const link = (description: string) => nullable(Type.String({ description }))

export const headFields = {
  transactionId,
  type: typeAnswer,
  at: Type.Unsafe<string>({ ...date, description: 'When, to the microsecond.' }),
  realmPointId: pointId,
}

export const tailFields = {
  reason: nullable(Type.String()),
  reference: nullable(Type.String()),
  metadata: nullable(Type.Object({}, { title: 'Metadata', additionalProperties: true })),
  actorId: nullable(memberIdAnswer),
  keyId: nullable(Type.String({ description: 'The key that made it; null for the operator.' })),
  keyName: nullable(
    Type.String({
      description: 'The name of that key, for people who signed in and keys with `realm:admin`; else null.',
    }),
  ),
  person: nullable(personAnswer),
  reverses: link('The entry that this one undoes.'),
  reversedBy: link('The entry that undid this one.'),
  holdId: link('The hold that it made or ended.'),
  batchId: link('The first entry of its batch; what was said of all stands with that one and is told here.'),
}

export const textOf = (seq: bigint | null): string | null => (seq === null ? null : String(seq))
export const numberOrNull = (balance: bigint | null): number | null =>
  balance === null ? null : Number(balance)

export function headOf({ seq, kind, atUs, point }: Recorded) {
  return { transactionId: String(seq), type: kind, at: isoOf(atUs), realmPointId: point }
}

type Reader = Pick<Caller, 'person' | 'scopes'>

/** Owners list key names. People of the realm see the name of a key that made an entry as well. */
const maySeeKeys = ({ person, scopes }: Reader): boolean => person !== undefined || scopes.has('realm:admin')

export function tailOf(entry: Recorded, reader: Reader) {
  const { reason, reference, metadata, actorId, key, keyName, person, reverses, reversedBy } = entry
  return {
    reason,
    reference,
    metadata: metadata === null ? null : parseJson(metadata),
    actorId,
    keyId: key === 0 ? null : String(key),
    keyName: maySeeKeys(reader) ? keyName : null,
    person,
    reverses: textOf(reverses),
    reversedBy: textOf(reversedBy),
    holdId: textOf(entry.hold),
    batchId: textOf(entry.batch),
  }
}
