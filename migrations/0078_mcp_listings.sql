-- What an MCP server said of itself when it was last asked; its tools are own_tools of its set.
create table mcp_listings (
  set_id uuid primary key references own_tool_sets on delete cascade,
  server jsonb not null,
  prompts jsonb not null,
  resources jsonb not null,
  -- How many of what it offers were left out, because they were too many or too large.
  left_out integer not null,
  -- Tools that came or changed their meaning, by id, until their owner decides about them: new, changed.
  news jsonb not null default '{}',
  listed_at timestamptz not null,
  -- Why it could not be asked since; null while it answers.
  error text
);
