-- How an MCP server has answered of late.
create table mcp_health (
  set_id uuid primary key references own_tool_sets on delete cascade,
  answered_at timestamptz,
  -- Since when every question was answered; null while the last one was not.
  answering_since timestamptz,
  failed_at timestamptz,
  failure text
);

-- The same in numbers, by half an hour, for 30 days.
create table mcp_half_hours (
  set_id uuid not null references own_tool_sets on delete cascade,
  at timestamptz not null,
  answers integer not null default 0,
  slow integer not null default 0,
  failures integer not null default 0,
  primary key (set_id, at)
);

-- What passed last: names and times, never what went in or came out.
create table mcp_messages (
  id bigint generated always as identity primary key,
  set_id uuid not null references own_tool_sets on delete cascade,
  at timestamptz not null,
  what text not null,
  name text not null,
  ms integer,
  failure text
);
create index mcp_messages_set on mcp_messages (set_id, id desc);
