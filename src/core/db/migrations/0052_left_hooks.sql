-- Webhooks of a company that is deleted are taken from their hosts as well: they, and the credentials that this needs, outlive it. The
-- credentials are then sealed by a key of the installation (version 0), because the company's own went with it.

alter table departed_integration drop constraint departed_integration_company_id_fkey;
alter table departed_hook drop constraint departed_hook_company_id_fkey;
