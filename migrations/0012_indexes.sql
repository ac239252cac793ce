-- Every reference has an index that begins with it: else a deletion reads the whole table for each row that goes.
create index sessions_active_leaf on sessions (active_leaf) where active_leaf is not null;
create index runs_user on runs (user_id);
create index runs_user_message on runs (user_message_id) where user_message_id is not null;
create index ledger_entries_run on ledger_entries (run_id) where run_id is not null;
create index ledger_entries_session on ledger_entries (session_id) where session_id is not null;
create index input_files_user on input_files (user_id);
create index input_files_run on input_files (run_id) where run_id is not null;
create index tool_executions_session on tool_executions (session_id) where session_id is not null;

-- No query asks for events by their age: they go with the end of their run.
drop index run_events_age;
