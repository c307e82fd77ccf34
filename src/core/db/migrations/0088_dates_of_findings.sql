-- Which findings are past their date, and which are near it, is found where few are, however many there are beside them. Neither has a
-- finding that is new: only what is valued anew comes in.
create index finding_overdue on finding (company_id, id)
  where merged_into_id is null and revalue_at is null and sla_due_at is not null
    and status in ('CREATED', 'IDENTIFIED', 'IN_PROGRESS', 'AWAITING_VALIDATION');
create index finding_nearly_due on finding (company_id, id) where merged_into_id is null and revalue_at = sla_due_at;
