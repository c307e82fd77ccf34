-- What a large report was read as, under a hash of its bytes and of all that their reading depends on: the same bytes need not be read
-- again. taken_at is the time at which its findings were seen, which is theirs until something else is said of them.
alter table import add column reading_key bytea check (length(reading_key) = 32), add column reading jsonb, add column taken_at timestamptz;
create index import_reading on import (company_id, asset_id, reading_key) where reading_key is not null;
