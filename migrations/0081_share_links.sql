-- Links that show a branch of a chat as it stood, to whoever has them. The leaf says which messages: what leads to it never changes.
create table share_links (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  leaf_id uuid not null references messages on delete cascade,
  -- Found by the hash of what stands in its address; that itself is sealed, so that its owner can copy it again.
  token_hash bytea not null unique,
  token text not null,
  title text not null,
  messages integer not null,
  hides_steps boolean not null,
  views integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz
);
create index share_links_user on share_links (user_id, created_at desc, id);
create index share_links_session on share_links (session_id);
create index share_links_leaf on share_links (leaf_id);

-- The files that were chosen, in the version they had.
create table share_link_files (
  link_id uuid not null references share_links on delete cascade,
  place integer not null,
  document_id uuid not null references documents on delete cascade,
  version integer not null,
  primary key (link_id, place)
);
create index share_link_files_document on share_link_files (document_id);
