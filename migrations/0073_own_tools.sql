-- Tools people made: calls of an API, or what an MCP server offers. What belongs together (one API, one server) is a set: it has
-- one owner, the same secrets, and is shared as a whole. A tool made by hand is a set of one.
create table own_tool_sets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('api', 'mcp')),
  name text not null,
  -- What its tools have in common, as the kind says; never a secret.
  connection jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
create index own_tool_sets_user on own_tool_sets (user_id, created_at desc);

-- Sealed with the installation's key.
create table own_tool_secrets (
  set_id uuid not null references own_tool_sets on delete cascade,
  name text not null,
  sealed text not null,
  updated_at timestamptz not null default now(),
  primary key (set_id, name)
);

-- Everybody of these companies may use the tools of the set.
create table own_tool_shares (
  set_id uuid not null references own_tool_sets on delete cascade,
  company_id uuid not null references companies on delete cascade,
  primary key (set_id, company_id)
);
create index own_tool_shares_company on own_tool_shares (company_id);

create table own_tools (
  -- What models call it.
  id text primary key,
  set_id uuid not null references own_tool_sets on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- What it is called where it comes from.
  key text not null,
  -- When it runs unless somebody decided otherwise; null for what its kind says.
  policy text check (policy in ('auto', 'ask', 'never')),
  -- False once it is gone from where it comes from.
  is_there boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now(),
  unique (set_id, key)
);
create index own_tools_user on own_tools (user_id, created_at desc, id);

-- A run goes on with the version it began with. The tool's own is the newest.
create table own_tool_versions (
  tool_id text not null references own_tools on delete cascade,
  version integer not null,
  name text not null,
  description text not null,
  icon text,
  -- What goes in and out and how it is done, as the kind says; json keeps the order of names.
  definition json not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tool_id, version)
);

-- The version of an own tool a person, or an assistant, decided about: leave given for one is no leave for the next.
alter table tool_policies add column tool_version integer;
