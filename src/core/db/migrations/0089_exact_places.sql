-- Whether a place was last reported at a commit that the deploys of its branch lead to, or of none; else commit_ref says of which it was,
-- and the place is known where the branch stands once a deploy comes from that commit or leads to it.
alter table occurrence add column is_exact boolean not null default true;
