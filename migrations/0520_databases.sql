-- Databases that questions are answered from: how each is reached, and the tables that models see.
create table databases (
  id uuid primary key default gen_random_uuid(),
  name text not null check (length(name) between 1 and 100),
  kind text not null check (kind in ('postgres', 'mysql', 'sqlite')),
  host text not null,
  port integer,
  database text not null,
  role text not null,
  password_sealed text,
  tls text not null check (tls in ('verified', 'unverified', 'off')),
  limit_seconds integer not null,
  limit_rows integer not null,
  -- Allowed tables with their columns, comments and samples.
  tables jsonb not null default '[]',
  created_at timestamptz not null default clock_timestamp()
);
create unique index databases_name on databases (lower(name));

-- A database may be granted like a model or a tool.
alter table grants drop constraint grants_kind_check;
alter table grants add constraint grants_kind_check
  check (kind in ('model', 'tool', 'assistant', 'feature', 'database'));
