-- Questions in a project that its documents could not answer. The words stay in the messages, so that they go with these.
-- What managers see of a group changes only when five more people have asked, so that no change points to one of them.
create table unanswered_groups (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  -- The embedding model of its questions.
  model text not null,
  state text not null default 'open' check (state in ('open', 'answered', 'dismissed')),
  -- What managers see; null until five people asked.
  counted_on date,
  askers integer not null default 0,
  words text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index unanswered_groups_workspace on unanswered_groups (workspace_id, created_at desc, id);

create table unanswered_questions (
  message_id uuid primary key references messages on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- Null until a job has grouped it. A group is centred on the mean of its vectors.
  group_id uuid references unanswered_groups on delete cascade,
  vector bytea,
  -- Whether it is part of what managers see of its group.
  is_counted boolean not null default false,
  asked_at timestamptz not null default clock_timestamp()
);
create index unanswered_questions_session on unanswered_questions (session_id);
create index unanswered_questions_user on unanswered_questions (user_id);
create index unanswered_questions_group on unanswered_questions (group_id) where group_id is not null;
create index unanswered_questions_workspace on unanswered_questions (workspace_id, asked_at);
create index unanswered_questions_new on unanswered_questions (asked_at, message_id) where group_id is null;
