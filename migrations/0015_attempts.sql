-- What tells a run that stops its process from one that was only there when its process stopped.
alter table runs
  -- The newest attempt whose process was seen to turn while it held the run.
  add column turned integer not null default 0,
  -- Attempts in a row that were lost with their process and left no record; `silent`: without a turn either.
  add column fruitless integer not null default 0,
  add column silent integer not null default 0;

-- What one person has running at once is counted at every start.
create index runs_under_way on runs (user_id) where state in ('queued', 'running');
