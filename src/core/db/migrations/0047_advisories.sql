-- What is published about vulnerable versions of packages, in OSV's form: a catalogue that all companies share.

create table advisory (
  id text primary key,
  modified timestamptz not null,
  -- what a finding says of it: title, description, severity and so on
  said jsonb not null
);

-- Versions of a package from `introduced` on ('0': all), up to before `fixed`, or up to and with `last_affected`, or without an
-- end; or else the `versions` that are listed.
create table advisory_range (
  advisory_id text not null references advisory on delete cascade,
  number int not null,
  ecosystem text not null,
  package text not null,
  introduced text,
  fixed text,
  last_affected text,
  versions text[] not null default '{}',
  primary key (advisory_id, number)
);
create index advisory_range_package on advisory_range (ecosystem, package);
