-- The component that a finding speaks of, as name@version. Of Maven the purl's name counts, for some tools call the package by its
-- artifact alone; of packages of an operating system the name without the distribution, which other tools leave out.
drop index finding_component;
create or replace function component_key(detail jsonb) returns text language sql immutable parallel safe as $$
  select lower(translate(name, ':_', '/-')) || '@'
    || ltrim(lower(coalesce(nullif(detail->>'affectedVersion', ''), purl[3], '')), 'v= ')
  from (
    select regexp_match(replace(coalesce(nullif(detail->>'purl', ''), detail->>'package'), '%40', '@'),
      '^pkg:/{0,2}([^/]+)/([^?#]+?)(?:@([^@/?#]*))?(?:[?#].*)?$') as purl) as read
  cross join lateral (
    select case when lower(purl[1]) in ('deb', 'rpm', 'apk', 'alpm') then regexp_replace(purl[2], '^.*/', '')
                when lower(purl[1]) = 'maven' or (purl is not null and detail->>'package' like 'pkg:%') then purl[2]
                else coalesce(nullif(detail->>'package', ''), purl[2]) end as name) as named
  where name is not null
$$;
create index finding_component on finding (company_id, asset_id, component_key(detail))
  where type in ('SCA_FINDING', 'CONTAINER_FINDING');
