-- No finding is written meanwhile, whose words would then be missing.
lock table finding in share row exclusive mode;

-- The words of findings that were written together, in one text each of about a quarter of a page: a search that reads it knows at once
-- that none of them has a part. It may have more than its findings' words, and never less. Findings that say another pack, or none, are
-- not of it any more. No foreign keys, as for the words.
create table words_pack (
  company_id bigint not null,
  id bigint not null,
  first_id bigint not null,
  finding_ids bigint[] not null,
  words text not null,
  primary key (company_id, id, first_id)
) with (toast_tuple_target = 8160);
-- to be unpacked costs more than to be searched
alter table words_pack alter words set storage external;

-- How many findings fill a pack; null where there are too few for one.
create function size_of_packs(findings bigint, bytes bigint) returns bigint language sql immutable as $$
  select case when findings >= 16 then greatest(1, 1900 * findings / greatest(bytes, 1)) end
$$;

alter table finding_words rename to words_before;
alter table words_before rename constraint finding_words_pkey to words_before_pkey;
create table finding_words (
  company_id bigint not null,
  finding_id bigint not null,
  title text not null,
  description text not null,
  pack bigint,
  primary key (company_id, finding_id)
);

with sized as materialized (
  select company_id, size_of_packs(count(*), sum(octet_length(title) + octet_length(description))) as size
  from words_before group by company_id),
packed as (
  insert into words_pack (company_id, id, first_id, finding_ids, words)
  select company_id, finding_id / size, min(finding_id), array_agg(finding_id), string_agg(title || ' ' || description, ' ')
  from words_before join sized using (company_id) where size is not null group by company_id, finding_id / size)
insert into finding_words (company_id, finding_id, title, description, pack)
select company_id, finding_id, title, description, finding_id / size
from words_before join sized using (company_id) order by company_id, finding_id;
drop table words_before;

create index finding_words_loose on finding_words (company_id, finding_id) where pack is null;

create or replace function put_words() returns trigger language plpgsql as $$
declare
  size bigint := (select size_of_packs(count(*), sum(octet_length(title) + octet_length(description))) from fresh);
begin
  if size is null then
    insert into finding_words (company_id, finding_id, title, description)
    select company_id, id, lower(title), lower(description) from fresh;
  else
    with small as materialized (
      select company_id, id, lower(title) as title, lower(description) as description, id / size as pack from fresh),
    packed as (
      insert into words_pack (company_id, id, first_id, finding_ids, words)
      select company_id, pack, min(id), array_agg(id), string_agg(title || ' ' || description, ' ')
      from small group by company_id, pack)
    insert into finding_words (company_id, finding_id, title, description, pack)
    select company_id, id, title, description, pack from small;
  end if;
  return null;
end $$;

create or replace function change_words() returns trigger language plpgsql as $$
begin
  update finding_words set title = lower(new.title), description = lower(new.description), pack = null
  where company_id = new.company_id and finding_id = new.id;
  return null;
end $$;

-- A pack that has words of what is gone goes too, and what else is in it stands alone. Planned by keys, as before.
create or replace function forget_words() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  company bigint;
  packs bigint[];
begin
  for company, packs in
    with forgotten as (
      delete from finding_words as words using gone where words.company_id = gone.company_id and words.finding_id = gone.id
      returning words.company_id, words.pack)
    select company_id, array_agg(distinct pack) from forgotten where pack is not null group by company_id
  loop
    with dissolved as (
      delete from words_pack where company_id = company and id = any(packs) returning id, finding_ids)
    update finding_words as words set pack = null from dissolved cross join unnest(dissolved.finding_ids) as other (id)
    where words.company_id = company and words.finding_id = other.id and words.pack = dissolved.id;
  end loop;
  return null;
end $$;
