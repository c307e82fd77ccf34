-- Findings whose status changed in a time are found without reading the history of all.

create index issue_event_changed on issue_event (company_id, at) where previous_status is not null;
