-- oldest release that runs on this schema: 0.1.0

-- Members by any part of a name, whatever its case and accents: docs/decisions/0048-find-anywhere.md. The
-- index of it is in 0016-find.online.sql.

-- A name as it is compared: in lower case, without accents, with letters in place of their styled forms, and
-- with a space for `_`, `-` and `.`. Letters are decomposed before they become lower case, and those without
-- a decomposition are listed: lower() alone knows only ASCII in a database of the locale C. Names in ASCII
-- take the short way.
create function folded(name text) returns text language sql immutable parallel safe as $$
  select translate(case when octet_length(name) = length(name) then lower(name)
    else replace(replace(replace(lower(translate(regexp_replace(normalize(name, nfkd),
        '[\u0300-\u036f]', '', 'g'),
      'øØłŁđĐıİÆŒẞАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯІЄҐЂЉЊЋЏЅЈΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
      'oollddiiæœßабвгдежзиклмнопрстуфхцчшщъыьэюяієґђљњћџѕјαβγδεζηθικλμνξοπρστυφχψωσ')),
      'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe') end,
    '_-.', '   ')
$$;

-- All pieces of three characters of a text, each as a number. Its first 32 bits stand for the realm and a
-- range of 8,192 accounts: a search reads one range at a time, and nothing of other realms.
create function pieces(realm integer, span integer, of_text text) returns bigint[]
language sql immutable parallel safe as $$
  select array_agg(distinct (hashint8extended((realm::bigint << 18) | span, 0) << 32)
    | (hashtextextended(substr(of_text, at, 3) collate "C", 0) & 4294967295))
  from generate_series(1, length(of_text) - 2) at
$$;

-- With a space before each name, its first two letters are a piece too.
create function name_pieces(realm integer, account integer, username text, display_name text)
returns bigint[] language sql immutable parallel safe as $$
  select exchequer.pieces(realm, account >> 13, coalesce(' ' || exchequer.folded(username), '')
    || coalesce(' ' || exchequer.folded(display_name), ''))
$$;

-- Members with a text in a name that does not begin with it, in the order in which they joined, after an
-- account. Two letters are found where a word begins. It looks at 128 ranges of accounts at most, and ends
-- after the range in which it has compared 16,384 names or found enough members. In the last row `account`
-- is the last one that it looked at, and `id` is null; without such a row it has looked at all. The
-- settings leave PostgreSQL only the index of pieces.
create function members_with(asked integer, wanted text, after integer, most integer)
returns table (id bigint, account integer)
language plpgsql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off
set enable_bitmapscan = on set plan_cache_mode = force_generic_plan as $$
declare
  folded_text constant text := btrim(exchequer.folded(wanted));
  part constant text := case when length(folded_text) = 2 then ' ' || folded_text else folded_text end;
  newest integer;
  span integer := after >> 13;
  matches record;
  compared integer := 0;
  rest integer := most;
begin
  select h.next_account - 1 into newest from exchequer.heads h where h.realm = asked;
  if length(part) < 3 or newest is null then return; end if;
  for ranges in 1..128 loop
    exit when span > newest >> 13;
    select count(*)::integer as compared, array_agg(f.id order by f.account) filter (where f.has) as ids,
        array_agg(f.account order by f.account) filter (where f.has) as accounts
      into matches
      from (select m.id, m.account, coalesce(strpos(' ' || exchequer.folded(m.username), part), 0)
            + coalesce(strpos(' ' || exchequer.folded(m.display_name), part), 0) > 0
            and starts_with(lower(m.username), lower(wanted)) is not true
            and starts_with(lower(m.display_name), lower(wanted)) is not true as has
          from exchequer.bound_members m
          where exchequer.name_pieces(m.realm, m.account, m.username, m.display_name)
              @> exchequer.pieces(asked, span, part)
            and (m.username is not null or m.display_name is not null)
            and m.realm + 0 = asked and m.account + 0 > after) f;
    return query select * from unnest(matches.ids, matches.accounts) limit rest;
    if coalesce(cardinality(matches.ids), 0) >= rest then
      return query select null::bigint, matches.accounts[rest];
      return;
    end if;
    rest := rest - coalesce(cardinality(matches.ids), 0);
    compared := compared + matches.compared;
    span := span + 1;
    exit when compared > 16384;
  end loop;
  if span <= newest >> 13 then return query select null::bigint, (span << 13) - 1; end if;
end $$;
