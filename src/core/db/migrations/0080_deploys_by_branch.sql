-- A deploy that names no branch is of the branch '', as findings and reports have it, so that one index finds the deploys of any.
-- Commit ids are compared by their bytes: where one begins another is a range of the index.
update deploy set branch_name = '' where branch_name is null;
alter table deploy rename column branch_name to branch;
alter table deploy
  alter column branch set default '',
  alter column branch set not null,
  alter column previous_commit type text collate "C",
  alter column current_commit type text collate "C";

-- The deploys at which the lines of findings seen before were lost.
create index deploy_break on deploy (company_id, asset_id, branch, id desc) where not is_carried and lineage <> 'LATE';

create or replace function deploy_words(deploy) returns jsonb language sql immutable as $$
  select jsonb_strip_nulls(jsonb_build_object('assetId', $1.asset_id::text, 'branchName', nullif($1.branch, ''),
    'previousCommit', $1.previous_commit, 'currentCommit', $1.current_commit, 'status', $1.status))
$$;
