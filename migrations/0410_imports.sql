-- Imports of chats from the export files of other products. The parts of the file are those of the upload it came with.
create table imports (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  upload_id uuid not null,
  name text not null,
  size bigint not null,
  -- Offsets of the stored parts; empty once the file is removed.
  parts bigint[] not null,
  -- JSON files of the archive that contain something to import.
  sources text[] not null default '{}',
  format text,
  state text not null default 'reading'
    check (state in ('reading', 'ready', 'importing', 'stopped', 'done', 'failed', 'undoing', 'undone')),
  with_assistants boolean not null default true,
  -- Entries of the file that are finished in the current state, and all of them once they are counted.
  done integer not null default 0,
  total integer,
  preview json,
  -- Chats and assistants that an undo left, because the person changed them.
  kept integer not null default 0,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
create index imports_user on imports (user_id, created_at desc, id);
create index imports_upload on imports (upload_id);
create index imports_idle on imports (updated_at) where parts <> '{}';

-- What cannot be imported, with its reason. `place` is the entry of the file.
create table import_problems (
  import_id uuid not null references imports on delete cascade,
  place integer not null,
  number integer not null,
  kind text not null check (kind in ('chat', 'file', 'assistant', 'prompt')),
  title text not null,
  reason text not null,
  primary key (import_id, place, number)
);

-- Where imported things come from. Each thing of an export exists once per person.
create table imported_things (
  user_id uuid not null references users on delete cascade,
  source text not null,
  kind text not null check (kind in ('chat', 'message', 'file', 'assistant', 'prompt')),
  foreign_id text not null,
  thing_id uuid not null,
  -- The chat that holds it; null outside of chats.
  session_id uuid references sessions on delete cascade,
  import_id uuid not null references imports on delete cascade,
  primary key (user_id, source, kind, foreign_id)
);
create index imported_things_import on imported_things (import_id, kind, thing_id);
create index imported_things_session on imported_things (session_id, kind) where session_id is not null;
create index imported_things_thing on imported_things (thing_id);

-- The file of an import is uploaded in parts like a document, but becomes none.
alter table uploads add column is_import boolean not null default false;
