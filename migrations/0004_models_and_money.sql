create table model_connections (
  id uuid primary key default gen_random_uuid(),
  provider text not null unique,
  name text not null,
  kind text not null check (kind in ('openai', 'anthropic', 'google', 'compatible', 'cohere')),
  base_url text,
  api_key_sealed text,
  enabled boolean not null default true,
  status text not null default 'untested' check (status in ('ok', 'error', 'untested')),
  status_detail text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- What an administrator changed about a model, for stored and environment connections alike.
create table model_overrides (
  model_id text primary key,
  offered boolean,
  input_price numeric,
  output_price numeric,
  context_tokens integer,
  updated_at timestamptz not null default now()
);

create table model_calibrations (
  model_id text primary key,
  factor double precision not null,
  samples integer not null default 0,
  updated_at timestamptz not null default now()
);

-- The balance is the sum of `amount`, in dollars.
create table ledger_entries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('start', 'top_up', 'usage', 'absorbed', 'correction')),
  amount numeric(18, 9) not null,
  reason text not null default '',
  model_name text,
  session_id uuid references sessions on delete set null,
  run_id uuid references runs on delete set null,
  step_key text,
  attempt integer,
  input_tokens integer,
  output_tokens integer,
  cached_tokens integer,
  unpriced boolean not null default false,
  estimated boolean not null default false,
  estimated_amount numeric(18, 9),
  created_at timestamptz not null default clock_timestamp()
);
create index ledger_entries_user on ledger_entries (user_id, created_at desc);
-- The user pays once per committed step.
create unique index ledger_entries_step on ledger_entries (run_id, step_key) where kind = 'usage';
create unique index ledger_entries_start on ledger_entries (user_id) where kind = 'start';
