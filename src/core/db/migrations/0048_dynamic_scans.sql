-- Scans by the platform's own scanner: how far one goes, which hosts belong to an asset, how a run stands, and what it found when.

alter table scanner_configuration
  add column api_schema_url text,
  add column include_paths text[] not null default '{}',
  add column exclude_paths text[] not null default '{}',
  add column requests_per_second int,
  add column most_requests int,
  add column most_minutes int,
  add column schedule text,
  add column scheduled_by bigint references portal_user (id) on delete set null,
  add column scheduled_at timestamptz;

-- one secret may be that of both people
alter table scanner_configuration_secret
  add column is_second boolean not null default false,
  drop constraint scanner_configuration_secret_pkey,
  add primary key (company_id, configuration_id, is_second, secret_id);

create index scanner_configuration_schedule on scanner_configuration (company_id, id) where schedule is not null;

create table scan_target (
  company_id bigint not null,
  asset_id bigint not null,
  -- host and port as an address has them, in lower case
  host text not null,
  token text not null,
  verified_by text check (verified_by in ('FILE', 'DNS', 'ADMINISTRATOR')),
  verified_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (company_id, asset_id, host),
  foreign key (company_id, asset_id) references asset (company_id, id) on delete cascade
);

create table dynamic_scan (
  company_id bigint not null,
  scan_id bigint not null,
  target_url text not null,
  attempts int not null default 0,
  phase text,
  done int not null default 0,
  of int not null default 0,
  requests int not null default 0,
  operations int not null default 0,
  findings jsonb not null default '{}',
  ending text,
  skipped jsonb not null default '[]',
  started_by bigint references portal_user (id) on delete set null,
  primary key (company_id, scan_id),
  foreign key (company_id, scan_id) references scan (company_id, id) on delete cascade
);

create table dynamic_finding (
  company_id bigint not null,
  asset_id bigint not null,
  fingerprint text not null,
  operation text not null,
  -- 0 BASIC, 1 BALANCED, 2 DEEP: a scan that looks less far proves nothing
  depth int not null,
  -- scans since that covered the operation and did not see it
  clean_scans int not null default 0,
  primary key (company_id, asset_id, fingerprint),
  foreign key (company_id, asset_id) references asset (company_id, id) on delete cascade
);
