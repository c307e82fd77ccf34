-- Rows that a report writes by the thousand, always in the transaction that holds what they belong to: checking that again for each row costs
-- as much as writing it. What they belong to takes them along when it goes; the places of a finding by its index, where the key had none.

alter table import_row drop constraint import_row_company_id_import_id_fkey;
create function forget_import_rows() returns trigger language plpgsql as $$
begin
  delete from import_row using gone where import_row.company_id = gone.company_id and import_row.import_id = gone.id;
  return null;
end $$;
create trigger import_rows_forgotten after delete on import referencing old table as gone
  for each statement execute function forget_import_rows();

alter table import_seen drop constraint import_seen_company_id_scope_id_fkey;
create function forget_seen() returns trigger language plpgsql as $$
begin
  delete from import_seen using gone where import_seen.company_id = gone.company_id and import_seen.scope_id = gone.id;
  return null;
end $$;
create trigger seen_forgotten after delete on import_scope referencing old table as gone
  for each statement execute function forget_seen();

alter table occurrence_place drop constraint occurrence_place_company_id_occurrence_id_fkey;
create function forget_places() returns trigger language plpgsql as $$
begin
  delete from occurrence_place as place using gone
  where place.company_id = gone.company_id and place.issue_id = gone.issue_id and place.occurrence_id = gone.id;
  return null;
end $$;
create trigger places_forgotten after delete on occurrence referencing old table as gone
  for each statement execute function forget_places();
