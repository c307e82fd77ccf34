-- Why a report that went in is not the whole of what its tool would have said.

alter table import add column incomplete_reason text;
