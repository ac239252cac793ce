create table companies (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key default gen_random_uuid(),
  username text not null,
  email text not null,
  full_name text,
  language text not null default 'en',
  bio text,
  writing_style_examples jsonb not null default '[]',
  preferences jsonb not null default '{}',
  password_hash text,
  email_verified_at timestamptz,
  beta_access boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_username on users (lower(username));
create unique index users_email on users (lower(email));

create table company_members (
  company_id uuid not null references companies on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null default 'member' check (role in ('super_admin', 'company_admin', 'member')),
  primary key (company_id, user_id)
);
create index company_members_user on company_members (user_id);

create table access_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index access_tokens_user on access_tokens (user_id);

create table one_time_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'sign_on')),
  user_id uuid not null references users on delete cascade,
  -- The address the token was sent to: what its use proves.
  email text,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index one_time_tokens_user on one_time_tokens (user_id, purpose);

create table identities (
  provider text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  email text,
  created_at timestamptz not null default now(),
  primary key (provider, subject)
);
create index identities_user on identities (user_id);

create table sign_on_states (
  state_hash bytea primary key,
  provider text not null,
  redirect_uri text not null,
  code_verifier text not null,
  nonce text not null,
  expires_at timestamptz not null
);

-- One row per counted key; the window starts with its first hit.
create table rate_limits (
  key text primary key,
  hits integer not null,
  expires_at timestamptz not null
);
create index rate_limits_expiry on rate_limits (expires_at);
