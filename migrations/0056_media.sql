-- Files that tools made, of the run that called them. Their bytes stand in the file store.
create table media (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  run_id uuid not null references runs on delete cascade,
  name text not null,
  media_type text not null,
  size bigint not null,
  file_key text not null,
  created_at timestamptz not null default now()
);
create index media_user on media (user_id) include (size);
create index media_run on media (run_id);

-- The files programs of a chat left in their working folder, which the next ones find there.
create table code_folders (
  session_id uuid primary key references sessions on delete cascade,
  files json not null,
  updated_at timestamptz not null default now()
);
