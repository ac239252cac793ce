-- When a person went back to a branch: a leaf nobody returned to was last seen when it was written.
create table branch_visits (
  leaf_id uuid primary key references messages on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  visited_at timestamptz not null default clock_timestamp()
);
create index branch_visits_session on branch_visits (session_id);
