-- own_place: where its own tool had it last on the branch, while it stands there by the word of a witness; nothing where it never had.
alter table occurrence
  add column own_place jsonb,
  add check (own_place is null or is_absent);
