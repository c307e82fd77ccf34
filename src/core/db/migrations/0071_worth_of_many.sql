-- The score of an open finding as a function of its own, which is put in the place of its call: findings that are written by the thousand are
-- valued once for each severity of their asset.

create function priority_score(severity severity_category, is_known_exploited boolean, epss double precision, exploitability text, audience text,
  business_impact text, urgency numeric) returns numeric language sql immutable parallel safe as $$
  select round(
    case severity when 'CRITICAL' then 10 when 'HIGH' then 8 when 'MEDIUM' then 5 when 'LOW' then 2 else 0 end
    * (4
      + case when is_known_exploited then 3 else 2 * round(coalesce(epss, 0)::numeric, 3) end
      + case when exploitability = 'INTERNET_FACING' then 1 when exploitability = 'INTERNAL' then 0
             when audience in ('external', 'internal_and_external') then 1 when audience = 'internal' then 0
             else 0.5 end
      + case business_impact when 'HIGH' then 1 when 'LOW' then 0 else 0.5 end
      + urgency), 1)
$$;

create or replace function value_issue() returns trigger language plpgsql as $$
declare
  is_open constant boolean := new.status in ('CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION');
  is_new constant boolean := tg_op = 'INSERT';
  said text;
  ids text[];
  home record;
  warned_at timestamptz;
  urgency numeric := 0;
begin
  if is_new or old.revalue_at = '-infinity' or new.title is distinct from old.title or new.rule is distinct from old.rule
     or new.detail is distinct from old.detail then
    said := concat_ws(' ', new.detail->>'cve', new.detail->>'vulnerabilityIds', new.rule, new.title);
    ids := case when said ~* '(CVE|GHSA|SEC|GO|MAL|OSV)-' then vulnerability_ids_in(said) else '{}' end;
    if ids <> new.vulnerability_ids then
      new.vulnerability_ids := ids;
      select max(epss.score), coalesce(bool_or(known.cve is not null), false) into new.epss, new.is_known_exploited
      from unnest(ids) as id left join epss on epss.cve = id left join known_exploited as known on known.cve = id;
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
