-- What lists of findings are narrowed by most is found and counted from an index alone: of the findings themselves only those of a page
-- are read.
drop index issue_severity_newest;
create index issue_severity_newest on finding (company_id, severity desc, id desc)
  include (status, type, asset_id, sla_due_at, sla_started_at) where merged_into_id is null;

drop index issue_asset;
create index issue_asset on finding (company_id, asset_id, id desc)
  include (status, type, severity, sla_due_at, sla_started_at) where merged_into_id is null;
