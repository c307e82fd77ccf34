-- What component findings are found again by, in the same words as before: a function of one query starts an executor for each row and each index.
create or replace function component_key(detail jsonb) returns text language plpgsql immutable parallel safe as $$
declare
  package constant text := detail->>'package';
  purl constant text[] := regexp_match(replace(coalesce(nullif(detail->>'purl', ''), package), '%40', '@'),
    '^pkg:/{0,2}([^/]+)/([^?#]+?)(?:@([^@/?#]*))?(?:[?#].*)?$');
  kind constant text := lower(purl[1]);
  name constant text := case
    when kind in ('deb', 'rpm', 'apk', 'alpm') then regexp_replace(purl[2], '^.*/', '')
    when kind = 'maven' or (purl is not null and package like 'pkg:%') then purl[2]
    else coalesce(nullif(package, ''), purl[2]) end;
begin
  return lower(translate(name, ':_', '/-')) || '@'
    || ltrim(lower(coalesce(nullif(detail->>'affectedVersion', ''), purl[3], '')), 'v= ');
end $$;

-- One plan for all rows: planning the look-ups of a finding with vulnerabilities took longer than all else that values it. The plan outlives
-- the loading of a feed into a table that was empty, so it must not be one that reads the whole table. Lost when the function is replaced.
alter function value_issue() set plan_cache_mode = force_generic_plan;
alter function value_issue() set enable_seqscan = off;
