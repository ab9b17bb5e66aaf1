/** The time when the row is produced: after its lock was acquired. */
export const nowUs = '(extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us'

/** The columns that are read, with or without those of the operator feed, and the feed's own rows. */
type Parts = { readonly place: string; readonly read: string; readonly noted: string }

const moveHeads = ({ place, read, noted }: Parts) => `with claimed as (
        select n.*, ${place} from unnest($1::integer[], $2::bytea[], $3::integer[], $4::bigint[], $5::bytea[],
          $6::bigint[], $7::integer[]) as n (realm, old_hash, config_version, seq, hash, at_us, made)
        cross join lateral (select ${read} from heads where realm = n.realm
          and heads.hash = n.old_hash and heads.config_version = n.config_version
          limit 1 for update skip locked) h offset 0),
      moved as (
        update heads h set seq = c.seq, hash = c.hash, at_us = c.at_us,
          next_account = h.next_account + c.made
        from claimed c where h.ctid = c.place and h.realm is not distinct from c.realm returning 1)${noted}
      select expect_rows((select count(*) from moved), cardinality($1::integer[])), ${nowUs}`

export const statements = {
  /**
   * Moves heads on from the hash and configuration that was decided on; otherwise, or if another session
   * holds the head, the transaction fails. Updates by ctid: a look-up with a limit uses the key, which a
   * planned join on a small table would not; `offset 0` keeps the planner from merging the two.
   */
  moveHeads: {
    name: 'ledger_move_heads',
    text: moveHeads({ place: 'h.place', read: 'ctid as place', noted: '' }),
  },
  /** The same, with a row of the operator feed for each realm that has new entries: no further round trip. */
  moveHeadsNoted: {
    name: 'ledger_move_heads_noted',
    text: moveHeads({
      place: 'h.place, h.old_seq',
      read: 'ctid as place, seq as old_seq',
      noted: `,
      noted as (
        insert into changes (realm, from_seq, to_seq)
        select c.realm, c.old_seq + 1, c.seq from claimed c where c.seq > c.old_seq)`,
    }),
  },
} as const
