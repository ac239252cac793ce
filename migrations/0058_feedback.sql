-- What a person thinks of a reply. The passages are those it cited when it was judged.
create table feedback (
  message_id uuid not null references messages on delete cascade,
  user_id uuid not null references users on delete cascade,
  rating text not null check (rating in ('up', 'down')),
  reason text,
  comment text,
  chunk_ids uuid[] not null default '{}',
  changed_at timestamptz not null default now(),
  primary key (message_id, user_id)
);
create index feedback_user on feedback (user_id);
