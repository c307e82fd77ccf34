-- own_place: where its own tool had it last on the branch, while it stands there by the word of a witness; nothing where it never had.
alter table occurrence
  add column own_place jsonb,
  add check (own_place is null or is_absent);

-- Weaknesses and vulnerabilities of an issue are those that it names itself and those of its open witnesses. own_cwe_ids,
-- own_vulnerability_ids: what it names itself, where a witness names more.
alter table finding
  add column own_cwe_ids int[],
  add column own_vulnerability_ids text[];
create or replace view issue as select * from finding where merged_into_id is null;

create or replace function value_issue() returns trigger language plpgsql as $$
declare
  is_open constant boolean := new.status in ('CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION');
  is_new constant boolean := tg_op = 'INSERT';
  said text;
  ids text[];
  witnessed text[];
  home record;
  warned_at timestamptz;
  urgency numeric := 0;
begin
  if is_new or old.revalue_at = '-infinity' or new.title is distinct from old.title or new.rule is distinct from old.rule
     or new.detail is distinct from old.detail then
    said := concat_ws(' ', new.detail->>'cve', new.detail->>'vulnerabilityIds', new.rule, new.title);
    ids := case when said ~* '(CVE|GHSA|SEC|GO|MAL|OSV)-' then vulnerability_ids_in(said) else '{}' end;
    if ids <> coalesce(new.own_vulnerability_ids, new.vulnerability_ids) then
      witnessed := array(
        select id from unnest(new.vulnerability_ids) as id where id <> all(new.own_vulnerability_ids) and id <> all(ids));
      new.vulnerability_ids := ids || witnessed;
      new.own_vulnerability_ids := case when witnessed <> '{}' then ids end;
      select max(epss.score), coalesce(bool_or(known.cve is not null), false) into new.epss, new.is_known_exploited
      from unnest(new.vulnerability_ids) as id left join epss on epss.cve = id left join known_exploited as known on known.cve = id;
    end if;
  end if;

  if not is_new and is_open and old.status in ('DRAFT', 'FIX_ACCEPTED') then
    new.sla_started_at := now();
  elsif new.sla_started_at is null and new.status <> 'DRAFT' then
    new.sla_started_at := new.created_at;
  end if;

  if not is_open then
    if new.sla_due_at is null and new.sla_started_at is not null then
      select new.sla_started_at + make_interval(days => case when policy.severity is null then usual.days else policy.days end)
      into new.sla_due_at
      from asset
      left join sla_default as usual on usual.severity = new.severity and usual.business_impact = asset.business_impact
      left join sla_policy as policy on policy.company_id = new.company_id and policy.severity = new.severity
        and policy.business_impact = asset.business_impact
      where asset.company_id = new.company_id and asset.id = new.asset_id;
    end if;
    new.priority_score := 0;
    new.revalue_at := null;
    return new;
  end if;

  select asset.business_impact, asset.exploitability, asset.audience,
         case when policy.severity is null then usual.days else policy.days end as days
  into home
  from asset
  left join sla_default as usual on usual.severity = new.severity and usual.business_impact = asset.business_impact
  left join sla_policy as policy on policy.company_id = new.company_id and policy.severity = new.severity
    and policy.business_impact = asset.business_impact
  where asset.company_id = new.company_id and asset.id = new.asset_id;

  new.sla_due_at := new.sla_started_at + make_interval(days => home.days);
  warned_at := new.sla_due_at - (new.sla_due_at - new.sla_started_at) / 5;
  if now() >= new.sla_due_at then
    urgency := 1;
    new.revalue_at := null;
  elsif now() >= warned_at then
    urgency := 0.5;
    new.revalue_at := new.sla_due_at;
  else
    new.revalue_at := warned_at;
  end if;

  new.priority_score := priority_score(new.severity, new.is_known_exploited, new.epss, home.exploitability, home.audience,
    home.business_impact, urgency);
  return new;
end $$;

with said as materialized (
  select issue.company_id, issue.id, issue.cwe_ids as cwes, issue.vulnerability_ids as vulnerabilities,
    array(select distinct cwe from finding as witness cross join unnest(witness.cwe_ids) as cwe
      where witness.company_id = issue.company_id and witness.merged_into_id = issue.id and cwe <> all(issue.cwe_ids) and exists (
        select from occurrence where company_id = witness.company_id and issue_id = witness.id and is_open and not is_absent)
      order by cwe) as more_cwes,
    array(select distinct vulnerability from finding as witness cross join unnest(witness.vulnerability_ids) as vulnerability
      where witness.company_id = issue.company_id and witness.merged_into_id = issue.id and vulnerability <> all(issue.vulnerability_ids)
        and exists (
        select from occurrence where company_id = witness.company_id and issue_id = witness.id and is_open and not is_absent)
      order by vulnerability) as more_vulnerabilities
  from issue where witnesses > 0)
update finding set cwe_ids = cwes || more_cwes, own_cwe_ids = case when more_cwes <> '{}' then cwes end,
  vulnerability_ids = vulnerabilities || more_vulnerabilities,
  own_vulnerability_ids = case when more_vulnerabilities <> '{}' then vulnerabilities end,
  epss = (select max(score) from epss where cve = any(vulnerabilities || more_vulnerabilities)),
  is_known_exploited = exists (select from known_exploited where cve = any(vulnerabilities || more_vulnerabilities)), updated_at = now()
from said
where finding.company_id = said.company_id and finding.id = said.id and (more_cwes <> '{}' or more_vulnerabilities <> '{}');
