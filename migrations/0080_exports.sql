-- What is taken out: a chat as a document, or all that a person has as an archive. Its file goes with the row (sweep of files).
create table exports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  -- Null for all that a person has.
  session_id uuid references sessions on delete cascade,
  kind text not null check (kind in ('chat', 'account')),
  -- What was asked for.
  wish json not null,
  name text not null,
  state text not null default 'making' check (state in ('making', 'ready', 'failed')),
  progress real not null default 0,
  stage json,
  error text,
  file_key text,
  size bigint,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index exports_user on exports (user_id, created_at desc, id);
create index exports_session on exports (session_id);
create index exports_expires on exports (expires_at);

-- The queue makes it; what becomes of it is told to the person who asked.
create function tell_of_export() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'export_changed',
    json_build_object('export_id', new.id, 'session_id', new.session_id, 'name', new.name, 'state', new.state));
  return null;
end $$;
create constraint trigger export_told after insert on exports
deferrable initially deferred for each row execute function tell_of_export();
create constraint trigger export_change_told after update of state, progress on exports
deferrable initially deferred for each row
when ((old.state, old.progress) is distinct from (new.state, new.progress)) execute function tell_of_export();
