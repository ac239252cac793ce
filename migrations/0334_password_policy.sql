-- Rules for new passwords, set by a super admin. Without a row the defaults apply.
create table password_policy (
  only_row boolean primary key default true check (only_row),
  min_length int not null check (min_length between 8 and 64),
  refuses_common boolean not null,
  min_kinds int not null check (min_kinds between 0 and 4),
  history int not null check (history between 0 and 24),
  max_age_days int check (max_age_days between 1 and 3650),
  applies text not null check (applies in ('now', 'next_change')),
  updated_at timestamptz not null
);
-- Rule that the password broke at the last sign-in; the person must change it first.
alter table users add column password_due text;
-- The age of a password from before counts from here.
alter table users add column password_set_at timestamptz not null default now();
create table former_passwords (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  password_hash text not null
);
create index on former_passwords (user_id, id);
