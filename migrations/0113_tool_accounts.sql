-- Accounts people have at services (OAuth 2), which they let a set of tools use: their tokens, sealed. A new connection is a new id.
create table own_tool_accounts (
  set_id uuid not null references own_tool_sets on delete cascade,
  user_id uuid not null references users on delete cascade,
  id uuid not null default gen_random_uuid(),
  sealed text not null,
  connected_at timestamptz not null default now(),
  primary key (set_id, user_id)
);
create index own_tool_accounts_user on own_tool_accounts (user_id);

-- As whom this product asks at the service of an MCP server: found there and registered, or entered by its owner. Sealed.
create table own_tool_clients (
  set_id uuid primary key references own_tool_sets on delete cascade,
  sealed text not null
);
