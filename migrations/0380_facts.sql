-- Memory: facts that replies may use in other chats, of a person or of a project.
create table facts (
  id uuid primary key default gen_random_uuid(),
  -- The person who told it.
  user_id uuid not null references users on delete cascade,
  -- Null for a fact of the person alone.
  workspace_id uuid references workspaces on delete cascade,
  text text not null,
  -- Words by which duplicates are found.
  words text not null,
  origin text not null check (origin in ('proposal', 'remember', 'manual')),
  -- The message it was learned from; both are null for a fact written by hand and after a deletion.
  session_id uuid references sessions on delete set null,
  message_id uuid references messages on delete set null,
  state text not null default 'kept' check (state in ('kept', 'proposed', 'replaced')),
  -- For an earlier version, the fact that replaced it. For a proposal, the fact it contradicts.
  fact_id uuid references facts on delete cascade,
  learned_at timestamptz not null default clock_timestamp(),
  replaced_at timestamptz,
  used_at timestamptz,
  uses integer not null default 0,
  -- 32-bit floats, of the model that is named.
  embedding bytea,
  embedding_model text,
  check (state <> 'replaced' or fact_id is not null)
);
create index facts_person on facts (user_id, state, learned_at desc, id) where workspace_id is null;
create index facts_project on facts (workspace_id, state, learned_at desc, id) where workspace_id is not null;
create index facts_author on facts (user_id);
create index facts_session on facts (session_id) where session_id is not null;
create index facts_message on facts (message_id) where message_id is not null;
create index facts_fact on facts (fact_id) where fact_id is not null;

-- The facts a reply was given, in the words of that time.
create table fact_uses (
  message_id uuid not null references messages on delete cascade,
  fact_id uuid not null references facts on delete cascade,
  place integer not null,
  text text not null,
  primary key (message_id, fact_id)
);
create index fact_uses_fact on fact_uses (fact_id);

-- Proposals that were refused because of a secret. Only its kind and place are stored.
create table refused_facts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  reason text not null,
  session_id uuid references sessions on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
create index refused_facts_person on refused_facts (user_id, created_at desc, id);
create index refused_facts_session on refused_facts (session_id) where session_id is not null;

create table memory_settings (
  user_id uuid primary key references users on delete cascade,
  is_on boolean not null default true,
  proposals text not null default 'ask' check (proposals in ('keep', 'ask', 'refuse'))
);

-- Where a person has turned memory off. A row means off.
create table memory_switches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  session_id uuid references sessions on delete cascade,
  -- Not a reference, because the assistants of the product have no row.
  assistant_id uuid,
  provider text,
  check (num_nonnulls(session_id, assistant_id, provider) = 1),
  unique (user_id, session_id),
  unique (user_id, assistant_id),
  unique (user_id, provider)
);
create index memory_switches_session on memory_switches (session_id) where session_id is not null;
