-- What a scan is asked to do beyond its profile, and further formats of what describes its target.

alter table scanner_configuration
  add column allow_destructive boolean not null default false,
  drop constraint scanner_configuration_api_format_check,
  add constraint scanner_configuration_api_format_check
    check (api_format in ('OPENAPI', 'GRAPHQL', 'SOAP', 'POSTMAN', 'HAR'));
