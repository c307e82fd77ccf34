-- Lists of findings are counted under severity, status, type and asset from an index alone: the rows themselves are not read.
drop index issue_severity_newest;
create index issue_severity_newest on finding (company_id, severity desc, id desc) include (status, type, asset_id)
  where merged_into_id is null;

drop index issue_asset;
create index issue_asset on finding (company_id, asset_id, id desc) include (status, severity, type)
  where merged_into_id is null;
