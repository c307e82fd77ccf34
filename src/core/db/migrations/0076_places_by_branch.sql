-- Which findings are open on a branch is told by the index alone. Whether a place is open is what another index is held to as well, so
-- that no change costs more than before.
alter table occurrence drop constraint occurrence_company_id_issue_id_branch_key;
alter table occurrence add constraint occurrence_on_branch unique (company_id, issue_id, branch) include (is_open);
