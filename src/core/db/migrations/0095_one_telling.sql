-- The history of a finding is told by one trigger: three of them, and the conditions under which they fire, cost more than what they did for a
-- finding that is new, of which only subscribers are told.
drop trigger issue_event_told_to_scanners on issue_event;
drop trigger work_items_asked on issue_event;
drop function tell_scanners();
drop function ask_work_items();

create or replace function tell_issue_events() returns trigger language plpgsql as $$
declare
  woken record;
begin
  insert into outbox (company_id, at, kind, object_id, data)
  select company_id, at, 'issue.' || lower(action), issue_id, jsonb_strip_nulls(jsonb_build_object('by', kind,
    'authorId', author_id::text, 'assigneeId', assignee_id::text, 'previousStatus', previous_status, 'status', status,
    'reason', left(reason, 1000), 'controlSyncStatusId', scan_id::text, 'deployId', deploy_id::text))
  from fresh order by id;

  if not exists (select from fresh where action = 'STATUS_CHANGED' or kind = 'PERSON') then
    return null;
  end if;

  -- A finding whose status changed is to be looked at by what keeps its card, whoever changed it.
  update work_item set asked = asked + 1,
    due_at = case when attempts = 0 then least(due_at, now()) else due_at end
  where (company_id, issue_id) in (select company_id, issue_id from fresh where action = 'STATUS_CHANGED');

  -- What a person decided is told to the scanner outside that reported it.
  if not exists (select from fresh where kind = 'PERSON' and status in ('FALSE_POSITIVE', 'RISK_ACCEPTED', 'IDENTIFIED')) then
    return null;
  end if;
  for woken in
    with decided as materialized (
      select distinct on (fresh.company_id, fresh.issue_id, project.id) fresh.company_id, fresh.issue_id, fresh.status,
        coalesce(fresh.reason, '') as reason, project.id as project_id, project.integration_id,
        case when fresh.status = 'RISK_ACCEPTED' then finding.risk_accepted_until end as expires_at
      from fresh
      join finding on finding.company_id = fresh.company_id and finding.id = fresh.issue_id
      join external_project as project on project.company_id = finding.company_id and project.asset_id = finding.asset_id
      join integration on integration.company_id = project.company_id and integration.id = project.integration_id
        and integration.type = 'SCANNER_B'
      where fresh.kind = 'PERSON' and (fresh.status in ('FALSE_POSITIVE', 'RISK_ACCEPTED')
        or fresh.status = 'IDENTIFIED' and fresh.previous_status in ('FALSE_POSITIVE', 'RISK_ACCEPTED'))
      order by fresh.company_id, fresh.issue_id, project.id, fresh.id desc),
    superseded as (
      update scanner_delivery as waiting set state = 'SUPERSEDED', finished_at = now() from decided
      where waiting.company_id = decided.company_id and waiting.issue_id = decided.issue_id
        and waiting.external_project_id = decided.project_id and waiting.state = 'PENDING'),
    told as (
      insert into scanner_delivery (company_id, external_project_id, issue_id, status, reason, expires_at)
      select company_id, project_id, issue_id, status, reason, expires_at from decided order by issue_id)
    select distinct company_id, integration_id from decided
  loop
    perform graphile_worker.add_job('tell-scanner',
      json_build_object('companyId', woken.company_id::text, 'id', woken.integration_id::text),
      queue_name => 'scanner ' || woken.company_id || '/' || woken.integration_id,
      job_key => 'tell-scanner ' || woken.company_id || '/' || woken.integration_id,
      flags => array['company ' || woken.company_id]);
  end loop;
  return null;
end $$;
