-- The last report that was the whole of a scope, by which a check knows that the scope's tool has looked.

alter table import_scope add column whole_import_id bigint, add column whole_at timestamptz,
  add check (num_nulls(whole_import_id, whole_at) in (0, 2));
create index import_scope_whole on import_scope (company_id, asset_id, tool_name) where whole_at is not null;
