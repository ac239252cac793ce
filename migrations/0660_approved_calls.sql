-- Where the calls of a tool with a named approver go, so that a copy of the tool needs the same approval. Null for a built-in tool.
alter table tool_approvals add column if not exists target text check (length(target) <= 5000);
