-- Deploys are listed by their stored verdicts; a deploy is judged when it is made, and again when what its gate counts has changed.
create index deploy_verdict_decided on deploy_verdict (company_id, decision, deploy_id);

-- Rows of the kind gate.asked are told to nobody: the relay has the deploys judged that brought or touched the finding, or,
-- where object_id is 0, all of the company's. Those from before are judged once.
insert into outbox (company_id, kind, object_id, data) select id, 'gate.asked', 0, '{}' from company;
