-- Keys that sign SAML requests: the current one, and the next one while it is being replaced.
create table saml_keys (
  place text primary key check (place in ('current', 'next')),
  key_sealed text not null,
  -- Base64 of the DER form.
  certificate text not null,
  created_at timestamptz not null default now()
);
