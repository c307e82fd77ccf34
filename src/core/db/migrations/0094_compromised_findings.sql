-- Which assets have a finding that says that their environment is compromised is found where few do, so that their open findings are
-- counted by an index alone.
create index finding_compromised on finding (company_id, asset_id) where compromised_environment and merged_into_id is null;
