-- An asset's deploys are all of its company. Taking the two for independent, the planner expects a single deploy of an asset that has thousands,
-- and to sort all of them then looks as good as to read those of a branch from their index.
create statistics deploy_of_asset (dependencies) on company_id, asset_id from deploy;
