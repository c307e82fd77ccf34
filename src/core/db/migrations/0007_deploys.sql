-- How a deploy follows from those before it, where each of its files stands in the stored diff, and which file moved a finding.

-- FIRST: the first of its branch. FOLLOWS: from where the branch stood. BRANCHES: the first of its branch, from where another
-- branch stands. FORKS: from an earlier commit of the branch. GAP: from a commit that is not known. LATE: to a commit that a
-- deploy of the branch has left already. is_carried: whether the findings of the branch went through its line maps.
alter table deploy
  add column lineage text not null default 'FIRST'
    check (lineage in ('FIRST', 'FOLLOWS', 'BRANCHES', 'FORKS', 'GAP', 'LATE')),
  add column is_carried boolean not null default false;
alter table deploy alter column lineage drop default;

-- Pairs of byte offsets in the stored diff, the second past the end.
alter table deploy_file add column ranges bigint[] not null default '{}';

-- The file of the deploy that carried the finding.
alter table deploy_finding add column file_number int;
