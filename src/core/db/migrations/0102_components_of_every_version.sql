-- By bytes, so that the findings in a component of every version are found by the beginning of its key, whatever the database's collation.
drop index finding_component;
create index finding_component on finding (company_id, asset_id, component_key(detail) text_pattern_ops)
  where type in ('SCA_FINDING', 'CONTAINER_FINDING');
