create table passkeys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  credential_id text not null unique,
  name text not null,
  public_key bytea not null,
  -- What the authenticator counts; one that goes back was copied. Many count nothing.
  counter bigint not null,
  transports jsonb not null default '[]',
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id, created_at);

-- What an authenticator is asked to sign, once.
create table passkey_challenges (
  ticket_hash bytea primary key,
  challenge text not null,
  -- Whom it is for; null where the passkey itself says who it is.
  user_id uuid references users on delete cascade,
  expires_at timestamptz not null
);
create index passkey_challenges_user on passkey_challenges (user_id);
