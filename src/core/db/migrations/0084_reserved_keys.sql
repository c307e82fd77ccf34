-- An Idempotency-Key is reserved, without a response, while a mutation that calls other hosts is under way.
alter table idempotency_record alter column response drop not null;
