-- Programs that act for a person by OAuth: an access key of the kind `program`, which its tokens open and nothing else.
alter table access_keys drop constraint access_keys_kind_check;
alter table access_keys add constraint access_keys_kind_check check (kind in ('key', 'embed', 'program'));

-- What a browser brings a program once its person has said yes, and what was said yes to. Used once.
create table program_codes (
  code_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  -- The key that was made of it: whoever comes with it again was not meant to have it, and ends that key.
  key_id uuid references access_keys on delete cascade,
  used_at timestamptz
);
create index program_codes_user on program_codes (user_id);
create index program_codes_key on program_codes (key_id);
create index program_codes_end on program_codes (expires_at);

-- What a program calls with, for an hour, and what it gets the next with, once.
create table program_tokens (
  token_hash bytea primary key,
  key_id uuid not null references access_keys on delete cascade,
  client_id text not null,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index program_tokens_key on program_tokens (key_id);
create index program_tokens_end on program_tokens (expires_at);
