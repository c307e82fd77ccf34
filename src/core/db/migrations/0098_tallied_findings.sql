-- No finding is written meanwhile, which would then not be counted.
lock table finding in share row exclusive mode;

-- The state of a finding's due date as it was valued last; what value_issue is to value anew may be in another one by now.
create function valued_sla_state(status issue_status, sla_due_at timestamptz, revalue_at timestamptz)
  returns text language sql immutable parallel safe as $$
  select case
    when sla_due_at is null then null
    when status not in ('CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION') then 'RESOLVED'
    when revalue_at is null then 'BREACHED'
    when revalue_at = sla_due_at then 'APPROACHING'
    else 'ON_TRACK' end
$$;

-- How many findings there are of each kind, as the sum of rows: whatever changes findings adds rows with the difference in its own transaction,
-- and so waits for nobody; the worker adds them up. No foreign keys: what deletes a finding adds a row as well, and is deleted by the worker.
create table finding_tally (
  company_id bigint not null,
  asset_id bigint not null,
  id bigint generated always as identity,
  type issue_type not null,
  severity severity_category not null,
  status issue_status not null,
  is_known_exploited boolean not null,
  sla_state text,
  count int not null,
  primary key (company_id, asset_id, id)
);

insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, count)
select company_id, asset_id, type, severity, status, is_known_exploited, valued_sla_state(status, sla_due_at, revalue_at), count(*)
from finding where merged_into_id is null group by 1, 2, 3, 4, 5, 6, 7;

create function tally_statement() returns trigger language plpgsql as $$
begin
  insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, count)
  select company_id, asset_id, type, severity, status, is_known_exploited, valued_sla_state(status, sla_due_at, revalue_at),
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from told where merged_into_id is null group by 1, 2, 3, 4, 5, 6, 7;
  return null;
end $$;
create trigger finding_tallied after insert on finding referencing new table as told
  for each statement when (not is_restoring()) execute function tally_statement();
create trigger finding_untallied after delete on finding referencing old table as told
  for each statement execute function tally_statement();

-- For each row: a statement that changes nothing of what is counted, as most do, would have to keep all that it writes for a trigger of its own.
create function tally_changed() returns trigger language plpgsql as $$
declare
  before constant text := valued_sla_state(old.status, old.sla_due_at, old.revalue_at);
  now_is constant text := valued_sla_state(new.status, new.sla_due_at, new.revalue_at);
begin
  -- valued anew, to the same
  if (old.asset_id, old.type, old.severity, old.status, old.is_known_exploited, before, old.merged_into_id is null)
     is not distinct from
     (new.asset_id, new.type, new.severity, new.status, new.is_known_exploited, now_is, new.merged_into_id is null) then
    return null;
  end if;
  insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, count)
  select old.company_id, old.asset_id, old.type, old.severity, old.status, old.is_known_exploited, before, -1
  where old.merged_into_id is null
  union all
  select new.company_id, new.asset_id, new.type, new.severity, new.status, new.is_known_exploited, now_is, 1
  where new.merged_into_id is null;
  return null;
end $$;
create trigger finding_tallied_anew after update on finding for each row
  when (old.status <> new.status or old.severity <> new.severity or old.asset_id <> new.asset_id or old.type <> new.type
    or old.is_known_exploited <> new.is_known_exploited or old.sla_due_at is distinct from new.sla_due_at
    or old.revalue_at is distinct from new.revalue_at or (old.merged_into_id is null) <> (new.merged_into_id is null))
  execute function tally_changed();

-- What was found since a time is counted from the index alone.
drop index issue_created;
create index issue_created on finding (company_id, created_at, id) include (severity, status) where merged_into_id is null;

-- Every event with a status by its time, so that earlier figures are found by going back from those of today.
drop index issue_event_changed;
create index issue_event_told on issue_event (company_id, at) include (issue_id, action, previous_status, status) where status is not null;
