import { writeFileSync } from 'node:fs'

/**
 * What pgbench runs: the same durable rows that the server writes, one change per transaction in one
 * statement, the seq from a sequence instead of a head row, and no hash to compute. The fastest case.
 */

const zeros = `'\\x${'0'.repeat(64)}'`
const nowUs = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'
const columns =
  'realm, key, seq, at_us, amount, from_balance, to_balance, from_account, to_account, point, kind, ' +
  'encoding, hash, request, fingerprint'
const keys = 'gen_random_uuid(), gen_random_uuid()'

function adjust(member: string, realm = '1'): string {
  return `\\set member ${member}
\\set realm ${realm}
with moved as (
  update exchequer.balances set balance = balance + 1, seq = nextval('bench_seq'), at_us = ${nowUs}
  where realm = :realm and account = :member and point = 1 returning balance, seq, at_us)
insert into exchequer.journal (${columns})
select :realm, 1, seq, at_us, 1, null, balance, 0, :member, 1, 1, 1, ${zeros}, ${keys} from moved;
`
}

const transfer = `\\set giver random(1, :members)
\\set receiver :giver % :members + 1
with moved as (
  update exchequer.balances set balance = balance + case account when :giver then -1 else 1 end,
    seq = nextval('bench_seq'), at_us = ${nowUs}
  where realm = 1 and account in (:giver, :receiver) and point = 1 returning account, balance, seq, at_us)
insert into exchequer.journal (${columns})
select 1, 1, max(seq), max(at_us), 1, max(balance) filter (where account = :giver),
  max(balance) filter (where account = :receiver), :giver, :receiver, 1, 2, 1, ${zeros}, ${keys} from moved;
`

const readMember = `\\set member random(1, :members)
select m.id, m.username, m.display_name, m.joined_at, m.updated_at, b.point, b.balance, b.at_us
from exchequer.members m left join exchequer.balances b on b.realm = m.realm and b.account = m.account
where m.realm = 1 and m.id = :member;
`

const checkWallets = `select w.match, m.id from (
  select '0x' || lpad(to_hex(1 + floor(random() * :members)::integer), 40, '0') as match
  from generate_series(1, 100)) a
join exchequer.wallets w on w.realm = 1 and w.match = a.match
join exchequer.members m on m.realm = w.realm and m.account = w.account;
`

/** A page of a member's history, newest first, as the two indexes of the journal give it. */
const history = `\\set member random(1, :members)
select * from (
  (select seq, at_us, amount, from_account, to_account, from_balance, to_balance, point, kind
    from exchequer.journal where realm = 1 and from_account = :member and from_account > 0
    order by seq desc limit 50)
  union all
  (select seq, at_us, amount, from_account, to_account, from_balance, to_balance, point, kind
    from exchequer.journal where realm = 1 and to_account = :member and to_account > 0
    order by seq desc limit 50)
) as both_sides order by seq desc limit 50;
`

const scripts = {
  history,
  spread: adjust('random(1, :members)'),
  hot: adjust('1'),
  // pgbench's exponent must be above 1.
  zipf: adjust('random_zipfian(1, :members, 1.001)'),
  realms: adjust('random(1, 100)', 'random(2, 1001)'),
  transfer,
  readMember,
  checkWallets,
}

export type Script = keyof typeof scripts

/** Writes the scripts into a folder and returns their paths. */
export function writeScripts(folder: string): Readonly<Record<Script, string>> {
  const written = Object.entries(scripts).map(([name, text]) => {
    const file = `${folder}.${name}.sql`
    writeFileSync(file, text)
    return [name, file] as const
  })
  return Object.fromEntries(written) as Record<Script, string>
}
