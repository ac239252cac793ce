-- Collections of passages with vectors. The passages stand in the vector store, in a table of this name; what belongs into the
-- library's is decided by readings and chunks here.
create table collections (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  description text,
  table_name text not null unique,
  -- The embedding model of the library's vectors; null where passages have none of ours.
  model text,
  -- What the vector store has to know: named vectors with their dimensions and metrics, and the kind of index.
  spec json not null,
  -- As it was asked for.
  configuration json not null default '{}',
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now()
);

-- Readings whose passages a table of the vector store holds, as they were read at that attempt.
create table indexed_readings (
  collection_id uuid not null references collections on delete cascade,
  reading_id uuid not null,
  attempt integer not null,
  chunks integer not null,
  primary key (collection_id, reading_id)
);
create index indexed_readings_reading on indexed_readings (reading_id);
