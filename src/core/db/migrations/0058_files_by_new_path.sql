-- The file of a deploy in which a report found something: a file that kept its path is found by deploy_file_old_path.

create index deploy_file_new_path on deploy_file (company_id, deploy_id, new_path) where new_path is distinct from old_path;
