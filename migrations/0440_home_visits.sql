-- When a person looked at the home page. `since` is the end of the visit before the current one.
create table home_visits (
  user_id uuid primary key references users on delete cascade,
  since timestamptz not null,
  seen_at timestamptz not null
);

-- What finished since a time, newest first.
create index runs_finished on runs (user_id, finished_at desc)
where finished_at is not null and kind = 'chat' and parent_run_id is null;
