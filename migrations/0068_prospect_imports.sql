-- Which prospects of an execution a CRM took: they are not sent again.
create table prospect_imports (
  execution_id uuid not null references tool_executions (id) on delete cascade,
  place integer not null,
  imported_at timestamptz not null default now(),
  primary key (execution_id, place)
);
