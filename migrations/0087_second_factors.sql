-- A code app: its secret is sealed, and each time step counts once. Not confirmed: it is being set up.
create table code_apps (
  user_id uuid primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

alter table companies add column requires_second_factor boolean not null default false;

-- Who has shown a first proof and owes a second one, or is to set one up. It opens nothing else.
create table pending_sign_ins (
  ticket_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null
);
create index pending_sign_ins_user on pending_sign_ins (user_id);
