-- A person picks single files of a source for a chat. The sign-in is sealed, and deleted with the pick: at its end, or after an hour.
create table if not exists file_picks (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  way text not null,
  settings jsonb not null,
  -- Tokens or secrets; null before the sign-in.
  sealed text,
  -- Why the sign-in failed.
  outcome text check (outcome in ('refused', 'failed')),
  -- Ids of the files that were picked on the page of the source.
  picked text[] not null default '{}',
  -- Documents by the ids of the files.
  taken jsonb not null default '{}',
  until timestamptz not null
);
create index if not exists file_picks_user on file_picks (user_id);
create index if not exists file_picks_until on file_picks (until);

-- Address of the file that a document was picked from.
alter table documents add column if not exists source_url text;
