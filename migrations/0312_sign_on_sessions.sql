-- What a sign-on service needs to end the session it began, for sign-ins through it. Kept as long as one of them lasts.
create table sign_on_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  provider text not null,
  hint_sealed text not null,
  created_at timestamptz not null
);
create index sign_on_sessions_user on sign_on_sessions (user_id);
alter table one_time_tokens add column sign_on_id uuid;
alter table pending_sign_ins add column sign_on_id uuid;
alter table access_tokens add column sign_on_id uuid;
