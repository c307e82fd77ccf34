-- The review of a deploy's diff: how far it is, what it came to, and where it is turned off.

-- A run that looked at a change alone proves nothing of the rest of the asset.
alter table scan add column is_partial boolean not null default false;

create table deploy_review (
  company_id bigint not null,
  deploy_id bigint not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'RUNNING', 'DONE', 'FAILED')),
  -- why it failed, one sentence
  reason text,
  -- the run of which its findings are
  scan_id bigint,
  attempts int not null default 0,
  files int not null default 0,
  packages int not null default 0,
  findings int not null default 0,
  created int not null default 0,
  -- what a person should look at, and what was not read
  notes jsonb not null default '[]',
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (company_id, deploy_id),
  foreign key (company_id, deploy_id) references deploy on delete cascade
);

-- asset_id 0: all assets of the company that have no row of their own.
create table deploy_review_setting (
  company_id bigint not null references company on delete cascade,
  asset_id bigint not null default 0,
  is_on boolean not null,
  primary key (company_id, asset_id)
);
