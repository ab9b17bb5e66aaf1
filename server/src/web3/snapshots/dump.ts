import type { Queryable } from '../../db/session.ts'
import { readMembers } from './memberStore.ts'
import type { SnapshotRow, Which } from './store.ts'
import { readNodes } from './treeStore.ts'

/** Nodes read at once, and the hex digits of one. */
const nodesAtOnce = 4_096
const digits = 64

type Dumped = Which & { readonly realmId: string; readonly snapshot: SnapshotRow }

/**
 * A snapshot in the format of `StandardMerkleTree.dump()` of @openzeppelin/merkle-tree, with one more field
 * that describes it, which that library ignores. An erased member is a node without a value.
 */
export async function* dumpOf(db: Queryable, dumped: Dumped): AsyncGenerator<string> {
  const { realmId, snapshot } = dumped
  yield '{"format":"standard-v1","leafEncoding":["address","uint256"],"tree":['
  for (let from = 0; ; from += nodesAtOnce) {
    const hex = await readNodes(db, dumped, { from: from * 32, length: nodesAtOnce * 32 })
    const nodes = hex.match(/.{64}/g) ?? []
    if (nodes.length > 0) yield `${from === 0 ? '' : ','}${nodes.map((node) => `"0x${node}"`).join(',')}`
    if (hex.length < nodesAtOnce * digits) break
  }
  yield '],"values":['
  let comma = ''
  for await (const rows of readMembers(db, dumped)) {
    const values = rows.flatMap(({ address, amount, place }) =>
      address === null || place === null
        ? []
        : [JSON.stringify({ value: [address, String(amount)], treeIndex: place })],
    )
    if (values.length === 0) continue
    yield comma + values.join(',')
    comma = ','
  }
  const { id, point, chain, seq, hash, first_seq: first, taken_at: takenAt } = snapshot
  const of = {
    realmId,
    id,
    realmPointId: point,
    chain,
    seq: String(seq),
    hash,
    firstSeq: first === null ? null : String(first),
    takenAt,
  }
  yield `],"snapshot":${JSON.stringify(of)}}\n`
}
