-- A deploy that goes, also with its asset, lets go of its files, which are then swept.

create index deploy_diff_object on deploy (company_id, diff_object_id) where diff_object_id is not null;
create index deploy_history_object on deploy (company_id, history_object_id) where history_object_id is not null;

create function release_deploy_objects() returns trigger language plpgsql as $$
begin
  delete from stored_object
  where company_id = old.company_id and id in (old.diff_object_id, old.history_object_id);
  return null;
end $$;
create trigger deploy_released after delete on deploy
  for each row when (old.diff_object_id is not null or old.history_object_id is not null)
  execute function release_deploy_objects();

-- what deploys let go of before belongs to nothing
delete from stored_object o
where not exists (select from deploy r where r.company_id = o.company_id and o.id in (r.diff_object_id, r.history_object_id))
  and not exists (select from activity_evidence r where r.company_id = o.company_id and r.object_id = o.id)
  and not exists (select from ticket_attachment r where r.company_id = o.company_id and r.object_id = o.id)
  and not exists (select from attachment r where r.company_id = o.company_id and r.object_id = o.id)
  and not exists (select from scanner_configuration r where r.company_id = o.company_id and r.api_schema_object_id = o.id)
  and not exists (select from import r where r.company_id = o.company_id and r.object_id = o.id);
