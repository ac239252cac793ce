-- Questions with the passages that are expected for them, and what searches in one setting after the other found.
create table bench_sets (
  id uuid primary key default gen_random_uuid(),
  name text not null unique,
  created_at timestamptz not null
);
create table bench_cases (
  id uuid primary key default gen_random_uuid(),
  set_id uuid not null references bench_sets on delete cascade,
  -- With whose rights it is searched.
  user_id uuid not null references users on delete cascade,
  question text not null,
  -- [{chunk_id, grade}]: passages may be gone by now.
  expected jsonb not null default '[]',
  -- What a person thought of the reply whose question this was; null where it was typed.
  origin jsonb,
  message_id uuid references messages on delete set null,
  created_at timestamptz not null
);
create index bench_cases_set on bench_cases (set_id, created_at, id);
create index bench_cases_user on bench_cases (user_id);
create index bench_cases_message on bench_cases (message_id);

create table bench_runs (
  id uuid primary key default gen_random_uuid(),
  set_id uuid not null references bench_sets on delete cascade,
  -- Who began it pays for what providers do.
  user_id uuid not null references users on delete cascade,
  setting jsonb not null,
  model text,
  state text not null default 'running' check (state in ('running', 'ready', 'failed')),
  problem text,
  created_at timestamptz not null
);
create index bench_runs_set on bench_runs (set_id, created_at desc, id);
create index bench_runs_user on bench_runs (user_id);

-- What was found, the best first: figures are reckoned from it by the expectations of now.
create table bench_results (
  run_id uuid not null references bench_runs on delete cascade,
  case_id uuid not null references bench_cases on delete cascade,
  found uuid[] not null,
  milliseconds real not null,
  -- In dollars; null where a price is not known.
  cost double precision,
  -- Why the reranker was passed over.
  skipped text,
  primary key (run_id, case_id)
);
create index bench_results_case on bench_results (case_id);
