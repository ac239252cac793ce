-- What runs ask people, for finding it across sessions. The journal stays the truth of the run: the answer given
-- here becomes its record when the run goes on. `request` is the block as it was asked.
create table input_requests (
  run_id uuid not null references runs on delete cascade,
  key text not null,
  user_id uuid not null references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  tool_execution_id uuid,
  checkpoint_name text not null,
  request json not null,
  state text not null default 'waiting' check (state in ('waiting', 'answered', 'expired', 'closed')),
  deadline timestamptz,
  -- {input, input_type}, also for a default; null for a deadline that passed without one.
  answer json,
  answered_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (run_id, key)
);
create index input_requests_user on input_requests (user_id, state, created_at);
create index input_requests_session on input_requests (session_id, checkpoint_name);
create index input_requests_execution on input_requests (tool_execution_id) where tool_execution_id is not null;
create index input_requests_due on input_requests (deadline) where state = 'waiting';

-- Files given to requests. Those that no answer names are removed after a day.
create table input_files (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  run_id uuid references runs on delete set null,
  file_key text not null,
  name text not null,
  media_type text not null,
  size bigint not null,
  created_at timestamptz not null default now()
);
create index input_files_unused on input_files (created_at) where run_id is null;

-- How a tool may run: for one person, or for everybody who works with an assistant.
create table tool_policies (
  tool_id text not null,
  user_id uuid references users on delete cascade,
  assistant_id uuid,
  policy text not null check (policy in ('auto', 'ask', 'never')),
  updated_at timestamptz not null default now(),
  check ((user_id is null) <> (assistant_id is null))
);
create unique index tool_policies_user on tool_policies (user_id, tool_id) where user_id is not null;
create unique index tool_policies_assistant on tool_policies (assistant_id, tool_id) where assistant_id is not null;
