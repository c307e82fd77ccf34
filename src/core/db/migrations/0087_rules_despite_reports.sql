-- Rules of gates say whether they count what only reports say is settled; those that there are do not.
update gate_policy set rules = (
  select coalesce(jsonb_agg(rule || '{"despiteReports": false}' order by place), '[]')
  from jsonb_array_elements(rules) with ordinality as given (rule, place));
