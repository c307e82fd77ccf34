-- A report that has a finding as it was need not be decided: what it says is compared by a digest, whatever commit it is of.

-- report_key is of what the last report said of the finding, word for word; report_ask of where it said to come from.
alter table occurrence add column report_ask bigint;

-- Room for each row once more on its page: when a finding was last seen changes with each report, and then no index changes with it.
alter table occurrence set (fillfactor = 48);

-- The digest of a staged finding, the place at which it would have to stand, and how it would be known there; none for what is to be decided.
alter table import_staged
  add column report_key bytea,
  add column path text,
  add column line int,
  add column matched_by text;
