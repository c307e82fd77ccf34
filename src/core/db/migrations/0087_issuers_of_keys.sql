-- The key by which a key was issued, so that both can end together; null where none was, or where it was not kept yet.
alter table api_key add column issued_by_id bigint references api_key on delete set null;
create index api_key_issued_by on api_key (issued_by_id) where issued_by_id is not null;
