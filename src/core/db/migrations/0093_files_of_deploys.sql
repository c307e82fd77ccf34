-- The files of a deploy are written by the thousand in the transaction that writes the deploy: checking that again for each of them took
-- three times what writing them takes. They go with their deploy, by their primary key.

alter table deploy_file drop constraint deploy_file_company_id_deploy_id_fkey;
create function forget_deploy_files() returns trigger language plpgsql as $$
begin
  delete from deploy_file using gone where deploy_file.company_id = gone.company_id and deploy_file.deploy_id = gone.id;
  return null;
end $$;
create trigger deploy_files_forgotten after delete on deploy referencing old table as gone
  for each statement execute function forget_deploy_files();
