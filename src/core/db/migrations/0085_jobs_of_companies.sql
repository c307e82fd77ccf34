-- Jobs that the database asks for are marked with their company, as the service marks its own, so that no company holds all slots.
create or replace function tell_scanners() returns trigger language plpgsql as $$
declare
  woken record;
begin
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

create or replace function depart_hooks(of_company bigint, of_integration bigint, of_project bigint) returns void language plpgsql as $$
declare
  gone record;
begin
  for gone in
    with leaving as (
      select hook.company_id, hook.id, hook.integration_id, project.external_id, hook.vendor_id
      from inbound_hook as hook
      left join external_project as project
        on project.company_id = hook.company_id and project.id = hook.external_project_id
      where hook.company_id = of_company and hook.integration_id = of_integration
        and (of_project is null or hook.external_project_id = of_project)
      for update of hook)
    insert into departed_hook (company_id, id, integration_id, project_id, vendor_id)
    select * from leaving where vendor_id is not null
    on conflict do nothing
    returning id
  loop
    perform graphile_worker.add_job('take-hook-away',
      json_build_object('companyId', of_company::text, 'id', gone.id::text),
      queue_name => 'departed hooks ' || of_company || '/' || of_integration,
      job_key => 'take-hook-away ' || of_company || '/' || gone.id,
      flags => array['company ' || of_company]);
  end loop;
end $$;
