-- Assistants answer in Slack and Microsoft Teams: connections, the places where an assistant answers, threads, events and posts.
create table channels (
  id uuid primary key default gen_random_uuid(),
  -- The people of this company are matched by their verified address.
  company_id uuid not null references companies on delete cascade,
  kind text not null check (kind in ('slack', 'teams')),
  name text not null,
  is_on boolean not null default true,
  -- Origin of the programming interface.
  address text not null,
  -- Teams: application and tenant. Slack: id of the bot and of the workspace, as the connection test found them.
  app_id text not null default '',
  tenant_id text not null default '',
  -- Teams: address of the metadata of the issuer, origin of Graph, and origins that may be answered.
  issuer text not null default '',
  graph text not null default '',
  services text[] not null default '{}',
  -- Slack: signing secret. Teams: secret of the application.
  secret_sealed text not null,
  -- Slack: token of the bot. Teams: null.
  token_sealed text,
  -- Name of the workspace or tenant, and of the bot there.
  workspace text not null default '',
  bot text not null default '',
  -- Set while the service refuses or fails.
  detail text,
  -- The service asked to wait until then.
  paused_until timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index channels_company on channels (company_id);

-- Where which assistant answers. `direct` is the place of direct messages.
create table channel_places (
  id uuid primary key default gen_random_uuid(),
  channel_id uuid not null references channels on delete cascade,
  foreign_id text not null,
  name text not null,
  -- Null in direct messages: no assistant.
  assistant_id uuid references assistants on delete cascade,
  -- The members as last listed.
  member_ids text[] not null default '{}',
  members_read_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  unique (channel_id, foreign_id)
);
create index channel_places_assistant on channel_places (assistant_id) where assistant_id is not null;

-- People of a service as it last described them. The address is null unless the service has confirmed it.
create table channel_people (
  channel_id uuid not null references channels on delete cascade,
  foreign_id text not null,
  name text not null,
  address text,
  is_bot boolean not null default false,
  -- What this person sees as a visitor, if they are no user.
  visitor_id uuid references embed_visitors on delete set null,
  read_at timestamptz not null default clock_timestamp(),
  primary key (channel_id, foreign_id)
);
create index channel_people_visitor on channel_people (visitor_id) where visitor_id is not null;

-- A thread is a chat.
create table channel_threads (
  id uuid primary key default gen_random_uuid(),
  channel_id uuid not null references channels on delete cascade,
  place_id uuid references channel_places on delete set null,
  -- Conversation and first message at the service.
  conversation text not null,
  root text not null,
  -- Teams: the address that is answered, the team, and its group or the person in Entra ID.
  service text not null default '',
  team text not null default '',
  directory_id text not null default '',
  is_direct boolean not null,
  session_id uuid references sessions on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  unique (channel_id, conversation, root)
);
create index channel_threads_place on channel_threads (place_id) where place_id is not null;
create index channel_threads_session on channel_threads (session_id) where session_id is not null;

create table channel_events (
  id uuid primary key default gen_random_uuid(),
  channel_id uuid not null references channels on delete cascade,
  thread_id uuid references channel_threads on delete cascade,
  kind text not null check (kind in ('message', 'press')),
  -- Names the message or the press at the service, so that it counts once however often it is sent.
  foreign_id text not null,
  -- How often it came.
  times integer not null default 1,
  sender text not null,
  body text not null default '',
  -- Of a press: the post with the button, and the number of the answer.
  post_id uuid,
  choice integer,
  state text not null default 'waiting' check (state in ('waiting', 'answering', 'done', 'failed')),
  detail text,
  user_message_id uuid references messages on delete set null,
  due_at timestamptz not null default clock_timestamp(),
  received_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);
create unique index channel_events_once on channel_events (channel_id, foreign_id);
create index channel_events_open on channel_events (channel_id, received_at) where state in ('waiting', 'answering');
create index channel_events_thread on channel_events (thread_id, received_at) where thread_id is not null;
create index channel_events_message on channel_events (user_message_id) where user_message_id is not null;
create index channel_events_post on channel_events (post_id) where post_id is not null;
create index channel_events_old on channel_events (received_at);

-- What is said at the service. A row is decided in one transaction, started before it leaves, and found again by its id.
create table channel_posts (
  id uuid primary key default gen_random_uuid(),
  channel_id uuid not null references channels on delete cascade,
  thread_id uuid not null references channel_threads on delete cascade,
  event_id uuid references channel_events on delete cascade,
  kind text not null check (kind in ('answer', 'notice', 'private', 'question')),
  -- Of a question or approval.
  run_id uuid references runs on delete cascade,
  request_key text,
  -- Of a notice; a private one is for this person.
  body text not null default '',
  recipient text,
  state text not null default 'waiting' check (state in ('waiting', 'started', 'posted', 'failed', 'unknown')),
  foreign_id text,
  detail text,
  tries integer not null default 0,
  -- The question shows its answer and has no buttons any more.
  closed_at timestamptz,
  started_at timestamptz,
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp()
);
alter table channel_events add foreign key (post_id) references channel_posts on delete set null;
create unique index channel_posts_answer on channel_posts (event_id, kind) where kind in ('answer', 'notice');
create unique index channel_posts_private on channel_posts (event_id) where kind = 'private';
create unique index channel_posts_question on channel_posts (run_id, request_key) where kind = 'question';
create index channel_posts_open on channel_posts (channel_id, due_at) where state in ('waiting', 'started');
create index channel_posts_shown on channel_posts (channel_id) where kind = 'question' and state = 'posted' and closed_at is null;
create index channel_posts_thread on channel_posts (thread_id);
create index channel_posts_channel on channel_posts (channel_id);
create index channel_posts_event on channel_posts (event_id) where event_id is not null;
create index channel_posts_run on channel_posts (run_id) where run_id is not null;
