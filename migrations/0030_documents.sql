-- The bytes of files, once per person.
create table blobs (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  sha256 text not null,
  size bigint not null,
  file_key text not null,
  created_at timestamptz not null default now(),
  unique (user_id, sha256)
);

-- What one pipeline made of these bytes: it is read once, however many documents show it. `attempt` grows with each beginning;
-- what an earlier one writes late is refused.
create table readings (
  id uuid primary key default gen_random_uuid(),
  blob_id uuid not null references blobs on delete cascade,
  user_id uuid not null references users on delete cascade,
  pipeline text not null check (pipeline in ('low_latency', 'normal', 'improved')),
  -- The name decides little, and yet something: what kind of text a text is, and what an attachment without bytes of a kind is.
  name text not null,
  status text not null default 'queued' check (status in ('queued', 'in_progress', 'completed', 'failed')),
  phase text not null default 'PARSING' check (phase in ('PARSING', 'CHUNKING_ENRICHMENT', 'EMBEDDING')),
  attempt integer not null default 1,
  -- How often the phase was begun without coming to an end: what stops its process again and again is given up.
  tries integer not null default 0,
  done double precision not null default 0,
  total double precision not null default 0,
  format text,
  language text,
  failure json,
  warnings json not null default '[]',
  facts json not null default '{}',
  report json,
  files text[] not null default '{}',
  parts integer not null default 0,
  chunks integer not null default 0,
  -- Bytes of what was made of it: texts, files for the viewers.
  stored_bytes bigint not null default 0,
  embedding_model text,
  parse_ms integer,
  chunking_ms integer,
  embedding_ms integer,
  phase_began_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (blob_id, pipeline)
);
create index readings_user on readings (user_id) include (stored_bytes);
create index blobs_user on blobs (user_id) include (size);
create index readings_under_way on readings (updated_at) where status in ('queued', 'in_progress');

-- Its elements in order: those of a page, or the next ones where there are no pages.
create table reading_parts (
  reading_id uuid not null references readings on delete cascade,
  number integer not null,
  page json,
  elements json not null,
  words json not null default '[]',
  primary key (reading_id, number)
);

-- What is searched and cited.
create table chunks (
  id uuid primary key,
  reading_id uuid not null references readings on delete cascade,
  position integer not null,
  element_id text not null,
  type text not null,
  text text not null,
  heading_path text[] not null default '{}',
  place json not null,
  page_number integer,
  is_embedded boolean not null default false,
  unique (reading_id, position)
);

-- Their vectors, as numbers of four bytes each: search keeps copies of them.
create table chunk_vectors (
  chunk_id uuid primary key references chunks on delete cascade,
  model text not null,
  vector bytea not null
);

create table documents (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  company_id uuid references companies on delete set null,
  name text not null,
  extension text not null,
  size bigint not null,
  reading_id uuid not null references readings,
  version integer not null default 1,
  is_starred boolean not null default false,
  parent_id uuid references documents on delete cascade,
  tags text[] not null default '{}',
  -- As its reading has them, so that the list is filtered and sorted by indexes of its own.
  status text not null default 'queued',
  format text,
  language text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index documents_user on documents (user_id, created_at desc, id);
create index documents_user_name on documents (user_id, lower(name), id);
create index documents_user_size on documents (user_id, size, id);
do $$
begin
  create index documents_name on documents using gin (name gin_trgm_ops);
exception when undefined_object then
  raise notice 'pg_trgm is not available: names of documents are looked through.';
end
$$;
create index documents_reading on documents (reading_id);
create index documents_parent on documents (parent_id) where parent_id is not null;
create index documents_company on documents (company_id) where company_id is not null;

-- Every reading a document ever showed: what was cited once opens as it was.
create table document_versions (
  document_id uuid not null references documents on delete cascade,
  version integer not null,
  reading_id uuid not null references readings,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (document_id, version)
);
create index document_versions_reading on document_versions (reading_id);

create table workspaces (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  description text,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index workspaces_user on workspaces (user_id, is_default desc, lower(name), id);
create unique index workspaces_default on workspaces (user_id) where is_default;

create table workspace_documents (
  workspace_id uuid not null references workspaces on delete cascade,
  document_id uuid not null references documents on delete cascade,
  added_at timestamptz not null default now(),
  primary key (workspace_id, document_id)
);
create index workspace_documents_document on workspace_documents (document_id);

create table session_documents (
  session_id uuid not null references sessions on delete cascade,
  document_id uuid not null references documents on delete cascade,
  added_at timestamptz not null default now(),
  primary key (session_id, document_id)
);
create index session_documents_document on session_documents (document_id);

create table session_workspaces (
  session_id uuid not null references sessions on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  added_at timestamptz not null default now(),
  primary key (session_id, workspace_id)
);
create index session_workspaces_workspace on session_workspaces (workspace_id);

-- Uploads in parts. `options` is what was said when it was begun; its parts stand in the file store.
create table uploads (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  size bigint not null,
  received bigint not null default 0,
  parts bigint[] not null default '{}',
  options json not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index uploads_user on uploads (user_id);
create index uploads_updated on uploads (updated_at);

-- A person's documents follow what becomes of their readings, and their tabs hear of it.
create function show_reading() returns trigger language plpgsql as $$
begin
  update documents set status = new.status, format = new.format, language = new.language,
    updated_at = greatest(updated_at, new.updated_at)
  where reading_id = new.id and (status, format, language) is distinct from (new.status, new.format, new.language);
  return null;
end $$;
create trigger reading_shown after update of status, format, language on readings
for each row execute function show_reading();

create function tell_of_document() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform tell_user(old.user_id, 'document_deleted', json_build_object('document_id', old.id));
  else
    perform tell_user(new.user_id, case tg_op when 'INSERT' then 'document_created' else 'document_changed' end,
      json_build_object('document_id', new.id, 'name', new.name, 'status', new.status));
  end if;
  return null;
end $$;
create constraint trigger document_told after insert or delete on documents
deferrable initially deferred for each row execute function tell_of_document();
create constraint trigger document_change_told after update of name, status, is_starred, version, tags on documents
deferrable initially deferred for each row
when ((old.name, old.status, old.is_starred, old.version, old.tags) is distinct from (new.name, new.status, new.is_starred, new.version, new.tags))
execute function tell_of_document();

create function tell_of_workspace() returns trigger language plpgsql as $$
begin
  perform tell_user(coalesce(new.user_id, old.user_id), 'workspaces_changed', '{}');
  return null;
end $$;
create constraint trigger workspace_told after insert or delete on workspaces
deferrable initially deferred for each row execute function tell_of_workspace();
create constraint trigger workspace_change_told after update of name, description on workspaces
deferrable initially deferred for each row
when ((old.name, old.description) is distinct from (new.name, new.description))
execute function tell_of_workspace();
