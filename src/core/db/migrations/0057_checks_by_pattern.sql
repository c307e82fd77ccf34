-- The checks that a finding breaks are found by the attack patterns that use its weaknesses.

create index requirement_check_capec on requirement_check (company_id, capec_id) where capec_id is not null;
