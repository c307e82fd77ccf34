-- Whether a place was last reported at a commit that the deploys of its branch lead to, or of none; else commit_ref says of which it was,
-- and the place is known where the branch stands once a deploy comes from that commit or leads to it.
alter table occurrence add column is_exact boolean not null default true;

-- The commits that a deploy went through, by its history: the branch has left them.
create table deploy_commit (
  company_id bigint not null,
  deploy_id bigint not null,
  commit text collate "C" not null,
  asset_id bigint not null,
  branch text not null,
  primary key (company_id, deploy_id, commit),
  foreign key (company_id, deploy_id) references deploy on delete cascade
);
create index deploy_commit_asset on deploy_commit (company_id, asset_id, commit, branch);

insert into deploy_commit (company_id, deploy_id, commit, asset_id, branch)
select distinct company_id, deploy.id, commit.id, asset_id, branch
from deploy cross join lateral jsonb_to_recordset(commits) as commit (id text)
where commit.id ~ '^[0-9a-f]{7,64}$' and not starts_with(commit.id, current_commit) and not starts_with(current_commit, commit.id);
