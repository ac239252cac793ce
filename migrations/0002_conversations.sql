create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  title text not null,
  title_source text not null default 'default' check (title_source in ('default', 'message', 'user')),
  status text not null default 'NEW' check (status in ('active', 'NEW', 'GENERATING', 'COMPLETED', 'FAILED')),
  agent_status text check (agent_status in ('processing', 'paused', 'completed', 'error')),
  model_name text,
  session_metadata jsonb not null default '{}',
  active_leaf uuid,
  epoch bigint not null default 0,
  pending_input jsonb,
  preview text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id, updated_at desc, id);

create table messages (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions on delete cascade,
  parent_id uuid references messages on delete cascade,
  client_id text,
  role text not null check (role in ('user', 'assistant')),
  agent_type text,
  model_name text,
  content text not null default '',
  blocks jsonb not null default '[]',
  status text not null default 'completed' check (status in ('streaming', 'completed', 'error')),
  is_modified boolean not null default false,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index messages_session on messages (session_id, parent_id);
create index messages_parent on messages (parent_id);
create unique index messages_client on messages (session_id, client_id) where client_id is not null;

alter table sessions add foreign key (active_leaf) references messages on delete set null
  deferrable initially deferred;
