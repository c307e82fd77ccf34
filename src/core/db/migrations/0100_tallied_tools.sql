-- No finding is written meanwhile, which would then not be counted.
lock table finding in share row exclusive mode;

-- Findings are tallied by their tool as well: which assets have any of a tool is then known without reading their findings.
alter table finding_tally add column tool_name text not null default '';
delete from finding_tally;
insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, tool_name, count)
select company_id, asset_id, type, severity, status, is_known_exploited, valued_sla_state(status, sla_due_at, revalue_at), tool_name, count(*)
from finding where merged_into_id is null group by 1, 2, 3, 4, 5, 6, 7, 8;
alter table finding_tally alter column tool_name drop default;

create or replace function tally_statement() returns trigger language plpgsql as $$
begin
  insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, tool_name, count)
  select company_id, asset_id, type, severity, status, is_known_exploited, valued_sla_state(status, sla_due_at, revalue_at), tool_name,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from told where merged_into_id is null group by 1, 2, 3, 4, 5, 6, 7, 8;
  return null;
end $$;

create or replace function tally_changed() returns trigger language plpgsql as $$
declare
  before constant text := valued_sla_state(old.status, old.sla_due_at, old.revalue_at);
  now_is constant text := valued_sla_state(new.status, new.sla_due_at, new.revalue_at);
begin
  -- valued anew, to the same
  if (old.asset_id, old.type, old.severity, old.status, old.is_known_exploited, before, old.tool_name, old.merged_into_id is null)
     is not distinct from
     (new.asset_id, new.type, new.severity, new.status, new.is_known_exploited, now_is, new.tool_name, new.merged_into_id is null) then
    return null;
  end if;
  insert into finding_tally (company_id, asset_id, type, severity, status, is_known_exploited, sla_state, tool_name, count)
  select old.company_id, old.asset_id, old.type, old.severity, old.status, old.is_known_exploited, before, old.tool_name, -1
  where old.merged_into_id is null
  union all
  select new.company_id, new.asset_id, new.type, new.severity, new.status, new.is_known_exploited, now_is, new.tool_name, 1
  where new.merged_into_id is null;
  return null;
end $$;
drop trigger finding_tallied_anew on finding;
create trigger finding_tallied_anew after update on finding for each row
  when (old.status <> new.status or old.severity <> new.severity or old.asset_id <> new.asset_id or old.type <> new.type
    or old.is_known_exploited <> new.is_known_exploited or old.sla_due_at is distinct from new.sla_due_at
    or old.revalue_at is distinct from new.revalue_at or old.tool_name <> new.tool_name
    or (old.merged_into_id is null) <> (new.merged_into_id is null))
  execute function tally_changed();
