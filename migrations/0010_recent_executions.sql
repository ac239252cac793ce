-- What a person executed of a tool, newest first.
create index tool_executions_user on tool_executions (user_id, tool_id, created_at desc, id desc);
