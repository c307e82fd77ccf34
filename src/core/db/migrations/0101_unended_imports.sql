-- A verdict on a branch waits for the imports that have not ended, of which there are few.
create index import_unended on import (company_id, asset_id, branch) where status in ('PENDING', 'RUNNING');
