-- What a finding is worth: when it is due, how likely its vulnerability is exploited, and the priority that comes of both.

-- As FIRST and CISA publish them; not of a company.
create table epss (
  cve text primary key,
  score double precision not null check (score between 0 and 1),
  percentile double precision not null check (percentile between 0 and 1)
);
create table known_exploited (
  cve text primary key,
  added_on date,
  due_on date,
  is_ransomware boolean not null default false
);
create table exploitation_feed (
  name text primary key check (name in ('EPSS', 'KEV')),
  version text,
  published_at timestamptz,
  row_count int not null,
  imported_at timestamptz not null default now()
);

-- Days until a finding is due. A company that says nothing of a severity and an impact has the days of sla_default; null is never.
create table sla_default (
  severity severity_category not null,
  business_impact text not null check (business_impact in ('HIGH', 'MEDIUM', 'LOW', 'NOT_DEFINED')),
  days int check (days between 1 and 3650),
  primary key (severity, business_impact)
);
insert into sla_default values
  ('CRITICAL', 'HIGH', 7), ('CRITICAL', 'MEDIUM', 15), ('CRITICAL', 'LOW', 30), ('CRITICAL', 'NOT_DEFINED', 15),
  ('HIGH', 'HIGH', 15), ('HIGH', 'MEDIUM', 30), ('HIGH', 'LOW', 60), ('HIGH', 'NOT_DEFINED', 30),
  ('MEDIUM', 'HIGH', 45), ('MEDIUM', 'MEDIUM', 90), ('MEDIUM', 'LOW', 120), ('MEDIUM', 'NOT_DEFINED', 90),
  ('LOW', 'HIGH', 90), ('LOW', 'MEDIUM', 180), ('LOW', 'LOW', 365), ('LOW', 'NOT_DEFINED', 180),
  ('NOTIFICATION', 'HIGH', null), ('NOTIFICATION', 'MEDIUM', null), ('NOTIFICATION', 'LOW', null),
  ('NOTIFICATION', 'NOT_DEFINED', null);
create table sla_policy (
  company_id bigint not null references company on delete cascade,
  severity severity_category not null,
  business_impact text not null check (business_impact in ('HIGH', 'MEDIUM', 'LOW', 'NOT_DEFINED')),
  days int check (days between 1 and 3650),
  primary key (company_id, severity, business_impact)
);

-- CVE, GHSA and the like; epss is the highest of them.
alter table issue add column vulnerability_ids text[] not null default '{}';
alter table issue add column epss double precision;
alter table issue add column is_known_exploited boolean not null default false;
alter table issue add column sla_started_at timestamptz;
alter table issue add column sla_due_at timestamptz;
alter table issue add column priority_score numeric(4, 1) not null default 0;
-- when time alone changes the priority; -infinity: it has not been valued yet; null: never
alter table issue add column revalue_at timestamptz default '-infinity';

create index issue_priority on issue (company_id, priority_score, id);
-- what is never due comes last
create index issue_sla_due on issue (company_id, coalesce(sla_due_at, timestamptz '9999-12-31 00:00:00+00'), id);
create index issue_revalue on issue (revalue_at) where revalue_at is not null;
create index issue_vulnerability on issue using gin (vulnerability_ids) where vulnerability_ids <> '{}';
create index issue_epss on issue (company_id, epss) where epss is not null;
create index issue_known_exploited on issue (company_id, id) where is_known_exploited;

create function vulnerability_ids_in(said text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct case when id ~* '^GHSA' then 'GHSA' || lower(substr(id, 5)) else upper(id) end), '{}')
  from (
    select found[1] as id from regexp_matches(said,
      '\m(CVE-\d{4}-\d{4,19}|GHSA(?:-[a-z0-9]{4}){3}|(?:PYSEC|RUSTSEC|GO|MAL|OSV)-\d{4}-\d{1,19})\M', 'gi') as found
    limit 100) as ids
$$;

-- docs/scoring.md has the rule in words, src/modules/scoring/priority.ts in TypeScript; a test holds the two to each other.
create function value_issue() returns trigger language plpgsql as $$
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

  new.priority_score := round(
    case new.severity when 'CRITICAL' then 10 when 'HIGH' then 8 when 'MEDIUM' then 5 when 'LOW' then 2 else 0 end
    * (4
      + case when new.is_known_exploited then 3 else 2 * round(coalesce(new.epss, 0)::numeric, 3) end
      + case when home.exploitability = 'INTERNET_FACING' then 1 when home.exploitability = 'INTERNAL' then 0
             when home.audience in ('external', 'internal_and_external') then 1 when home.audience = 'internal' then 0
             else 0.5 end
      + case home.business_impact when 'HIGH' then 1 when 'LOW' then 0 else 0.5 end
      + urgency), 1);
  return new;
end $$;

-- rows of a backup have been valued, and stay as they are
create trigger issue_valued_first before insert on issue
  for each row when (new.revalue_at = '-infinity') execute function value_issue();
create trigger issue_valued_again
  before update of status, severity, asset_id, title, rule, detail, epss, is_known_exploited, revalue_at on issue
  for each row when (
    old.status <> new.status or old.severity <> new.severity or old.asset_id <> new.asset_id or old.title <> new.title
    or old.rule <> new.rule or old.detail <> new.detail or old.epss is distinct from new.epss
    or old.is_known_exploited <> new.is_known_exploited or old.revalue_at is distinct from new.revalue_at)
  execute function value_issue();
