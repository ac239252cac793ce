-- Where mail goes, as a super admin says; the environment goes before it. One row, or none.
create table mail_settings (
  only_row boolean primary key default true check (only_row),
  host text not null,
  port integer not null check (port between 1 and 65535),
  security text not null check (security in ('starttls', 'tls', 'none')),
  username text,
  password_sealed text,
  sender text not null,
  updated_at timestamptz not null
);

-- What was decided of the first steps of an installation: done, or put off.
create table setup_steps (
  step text primary key check (step in ('model', 'mail', 'address', 'sign_up')),
  outcome text not null check (outcome in ('done', 'later')),
  decided_at timestamptz not null
);
