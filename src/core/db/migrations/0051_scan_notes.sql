-- What of its description a scan left out, and why.

alter table dynamic_scan add column notes text[] not null default '{}';
