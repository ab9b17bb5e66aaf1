import type { Caller } from '../../keys/index.ts'
import { type EntryRecord, entryTypeNames, isReversible } from '../../ledger/index.ts'
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

/** Fields that all responses with entries share. */

export const typeAnswer = Type.Union(
  entryTypeNames.map((name) => Type.Literal(name)),
  { description: 'The entry type.' },
)

const link = (description: string) => nullable(Type.String({ description }))

export const headFields = {
  transactionId,
  type: typeAnswer,
  at: Type.Unsafe<string>({ ...date, description: 'When it was posted, to the microsecond.' }),
  realmPointId: pointId,
}

export const tailFields = {
  reason: nullable(Type.String()),
  reference: nullable(Type.String()),
  metadata: nullable(Type.Object({}, { title: 'Metadata', additionalProperties: true })),
  actorId: nullable(memberIdAnswer),
  keyId: nullable(Type.String({ description: 'The key that posted it; null for the operator.' })),
  keyName: nullable(
    Type.String({
      description: 'The name of that key, for signed-in people and keys with `realm:admin`; otherwise null.',
    }),
  ),
  person: nullable(personAnswer),
  reverses: link('The entry that this one reverses.'),
  reversedBy: link('The entry that reversed this one.'),
  reversible: Type.Boolean({
    description: 'Whether entries of this type can be reversed, and this one was not reversed yet.',
  }),
  holdId: link('The hold that it created or ended.'),
  awardId: link('The award that it created or ended.'),
  batchId: link('The first entry of its batch, whose details are repeated on every entry.'),
}

export const textOf = (seq: bigint | null): string | null => (seq === null ? null : String(seq))
export const numberOrNull = (balance: bigint | null): number | null =>
  balance === null ? null : Number(balance)

export function headOf({ seq, kind, atUs, point }: EntryRecord) {
  return { transactionId: String(seq), type: kind, at: isoOf(atUs), realmPointId: point }
}

type Reader = Pick<Caller, 'person' | 'scopes'>

/** Owners can list key names. The realm's people also see the name of a key that posted an entry. */
const maySeeKeys = ({ person, scopes }: Reader): boolean => person !== undefined || scopes.has('realm:admin')

export function tailOf(entry: EntryRecord, reader: Reader) {
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
    reversible: reversedBy === null && isReversible(entry.kind),
    holdId: textOf(entry.hold),
    awardId: textOf(entry.award),
    batchId: textOf(entry.batch),
  }
}
