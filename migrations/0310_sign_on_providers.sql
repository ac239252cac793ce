-- Sign-on services set up by super admins. The id is part of the redirect address and of identities.provider.
create table sign_on_providers (
  id text primary key check (id ~ '^(oidc|saml|ldap)-[a-z0-9]{8}$'),
  name text not null,
  is_enabled boolean not null,
  trusts_addresses boolean not null,
  -- By kind; the kind is part of it. Secrets are apart.
  settings jsonb not null,
  -- Groups and the roles they give.
  rules jsonb not null,
  -- Client secret or password of the account that searches.
  secret_sealed text,
  secret_set_at timestamptz,
  -- Changes with every save; processes cache a service by it.
  revision uuid not null default gen_random_uuid(),
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);
