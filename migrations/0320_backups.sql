-- Finished backups, so that the overview can say how old the last one is.
create table backups (
  id bigint generated always as identity primary key,
  finished_at timestamptz not null,
  rows bigint not null,
  files bigint not null
);
create index backups_finished on backups (finished_at desc);

-- What the overview counts.
create index documents_failed on documents (updated_at) where status = 'failed';
create index input_requests_waiting on input_requests (user_id, session_id) where state = 'waiting';
