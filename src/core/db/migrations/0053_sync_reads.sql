-- Every exchange with a tracker is in the log. Reads and questions that were answered are many, and left out unless they are asked for.

create index sync_delivery_told on sync_delivery (company_id, id desc)
  where not (action in ('READ', 'POLL') and outcome = 'DONE');
