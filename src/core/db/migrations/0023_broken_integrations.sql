-- Since when a vendor refuses the credential of an integration: it is not called again until it has another.

alter table integration add broken_since timestamptz check (broken_since is null or sealed is not null);
