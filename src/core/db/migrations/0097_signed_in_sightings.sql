-- How many people the scan was that saw a finding: fewer cannot say that it is gone.
alter table dynamic_finding add column identities smallint not null default 0;
