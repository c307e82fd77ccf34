-- Where a scan last reported a finding, and the ways in which a finding is looked up when it is reported again.

-- commit_ref and last_deploy_id say at which commit the place is counted: a deploy that carries the finding changes them.
alter table occurrence add column seen_commit text;
alter table occurrence add column seen_deploy_id bigint;

-- The last report, word for word (half a SHA-256), with the state that it left: the issue's updated_at and the asset's newest
-- deploy. While these are the same, the same report again changes nothing.
alter table occurrence add column report_key bytea check (length(report_key) = 16);
alter table occurrence add column report_at timestamptz;
alter table occurrence add column report_deploy_id bigint;
create index occurrence_report on occurrence (company_id, report_key) where report_key is not null;

create index occurrence_path on occurrence (company_id, asset_id, path);
create index occurrence_snippet on occurrence (company_id, asset_id, snippet_hash) where snippet_hash is not null;
create index issue_original_id on issue (company_id, asset_id, original_issue_id) where original_issue_id is not null;
create index issue_fingerprint on issue (company_id, asset_id, fingerprint) where fingerprint is not null;
create index issue_partial_fingerprint on issue (company_id, asset_id, partial_fingerprint)
  where partial_fingerprint is not null;
