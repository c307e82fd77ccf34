-- No finding is written meanwhile, whose words would then be missing.
lock table finding in share row exclusive mode;

-- What findings are searched in, in small letters and in rows of their own: small letters cost more than all else of a search, and these
-- rows are a third as long as a finding. No foreign key, as it would be checked for each row of a report.
create table finding_words (
  company_id bigint not null,
  finding_id bigint not null,
  title text not null,
  description text not null,
  primary key (company_id, finding_id)
);

insert into finding_words (company_id, finding_id, title, description)
select company_id, id, lower(title), lower(description) from finding order by company_id, id;

create function put_words() returns trigger language plpgsql as $$
begin
  insert into finding_words (company_id, finding_id, title, description)
  select company_id, id, lower(title), lower(description) from fresh;
  return null;
end $$;
create trigger finding_words_put after insert on finding referencing new table as fresh
  for each statement when (not is_restoring()) execute function put_words();

create function change_words() returns trigger language plpgsql as $$
begin
  update finding_words set title = lower(new.title), description = lower(new.description)
  where company_id = new.company_id and finding_id = new.id;
  return null;
end $$;
create trigger finding_words_changed after update of title, description on finding
  for each row when (old.title <> new.title or old.description <> new.description) execute function change_words();

-- The plan that is made for the first deletion of a session serves all after it: by keys, however many went with the first.
create function forget_words() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  delete from finding_words as words using gone where words.company_id = gone.company_id and words.finding_id = gone.id;
  return null;
end $$;
create trigger finding_words_forgotten after delete on finding referencing old table as gone
  for each statement execute function forget_words();
