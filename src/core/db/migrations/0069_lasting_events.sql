-- Verdicts that turned and tools that refused are kept for longer than other events, and asked for by themselves.
create index event_lasting on event (company_id, sequence)
  where kind in ('deploy.gate_blocked', 'deploy.gate_passed', 'integration.broken', 'integration.restored');
