-- What lists of issues sort and filter by.

-- read in both directions: one status newest first, and all by status
drop index issue_status_newest;
create index issue_status on issue (company_id, status, id);
create index issue_created on issue (company_id, created_at, id);
create index issue_updated on issue (company_id, updated_at, id);
-- the head of the title, so that a cursor stays short
create index issue_title on issue (company_id, lower(left(title, 200)) collate "C", id);
create index issue_scan_newest on issue (company_id, scan_id, id) where scan_id is not null;
create index issue_deploy on issue (company_id, deploy_id, id) where deploy_id is not null;
create index issue_event_deploy on issue_event (company_id, deploy_id, issue_id) where deploy_id is not null;
