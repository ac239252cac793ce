create table runs (
  id uuid primary key default gen_random_uuid(),
  kind text not null default 'chat' check (kind in ('chat', 'tool')),
  user_id uuid not null references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  user_message_id uuid references messages on delete cascade,
  message_id uuid references messages on delete cascade,
  parent_run_id uuid references runs on delete cascade,
  forked_from_run uuid references runs on delete set null,
  forked_from_position integer,
  agent_type text not null,
  agent_version integer not null,
  model_name text,
  state text not null default 'queued'
    check (state in ('queued', 'running', 'waiting', 'paused', 'completed', 'failed', 'stopped')),
  owner text,
  epoch bigint not null default 0,
  -- How often the run was taken up: 1 at its start, one more after every loss or wait.
  attempt integer not null default 1,
  stop_requested boolean not null default false,
  pause_requested boolean not null default false,
  error jsonb,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create unique index runs_one_active on runs (session_id)
  where kind = 'chat' and parent_run_id is null and state in ('queued', 'running', 'waiting', 'paused');
create index runs_session on runs (session_id, created_at desc);
create index runs_message on runs (message_id);
create index runs_unfinished on runs (state, owner) where state in ('queued', 'running');

-- The journal: what a run has committed. `position` grows by one per record. A value holds the result and
-- the events it made; json (not jsonb) keeps the text as it was written and costs nothing to store.
create table run_records (
  run_id uuid not null references runs on delete cascade,
  position integer not null,
  key text not null,
  kind text not null check (kind in ('input', 'started', 'step', 'checkpoint', 'ask', 'answer', 'end')),
  value json,
  attempt integer not null default 1,
  epoch bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, position),
  unique (run_id, kind, key)
);

-- What was sent: one row per run and 100 ms. `first_id` and `last_id` are stream ids (epoch × 10⁹ + n).
create table run_events (
  run_id uuid not null references runs on delete cascade,
  session_id uuid not null,
  first_id bigint not null,
  last_id bigint not null,
  events json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, first_id)
);
create index run_events_session on run_events (session_id, first_id);
create index run_events_age on run_events (created_at);

create table tool_executions (
  id uuid primary key,
  run_id uuid not null references runs on delete cascade,
  user_id uuid not null references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  tool_id text not null,
  input jsonb,
  result jsonb,
  error text,
  status text not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index tool_executions_run on tool_executions (run_id);

-- A process that works: alive while it holds the advisory lock (7, lock_id) on its own connection.
create table instances (
  id text primary key,
  lock_id integer not null unique,
  worker_ids text[] not null default '{}',
  started_at timestamptz not null default now()
);
