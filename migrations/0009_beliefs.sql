-- The working memory of a session as it was after a run: one version per run, never changed. The one in force is that
-- of the newest message of a branch that has one.
create table beliefs (
  run_id uuid primary key references runs on delete cascade,
  message_id uuid not null unique references messages on delete cascade,
  -- Goals, facts and open questions, each a sentence with the id of the message it comes from.
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
