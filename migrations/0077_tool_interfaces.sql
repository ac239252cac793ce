-- Interfaces of own tools that come from elsewhere: address, approved hash, and what they may reach and call.
create table own_tool_interfaces (
  tool_id text primary key references own_tools on delete cascade,
  ui jsonb not null,
  approved_at timestamptz not null default now()
);
