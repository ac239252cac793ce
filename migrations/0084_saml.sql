-- Assertions of a SAML service that were taken: none counts twice, for as long as it could be valid.
create table saml_assertions (
  assertion_hash bytea primary key,
  expires_at timestamptz not null
);
-- What such a service said, checked, on its way from its form to the visit that brings the browser's cookies.
create table sign_on_answers (
  code_hash bytea primary key,
  request_id text not null,
  claims jsonb not null,
  expires_at timestamptz not null
);
