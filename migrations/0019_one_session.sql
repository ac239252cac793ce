-- Messages and runs are only ever deleted with their session, which takes each of them along by itself. References from
-- one part of a session to another were looked up again for every row of a deletion, which was half of its time.
alter table messages drop constraint messages_parent_id_fkey;
alter table sessions drop constraint sessions_active_leaf_fkey;
alter table runs drop constraint runs_user_message_id_fkey;
alter table runs drop constraint runs_message_id_fkey;
alter table runs drop constraint runs_parent_run_id_fkey;
alter table runs drop constraint runs_forked_from_run_fkey;
alter table branch_visits drop constraint branch_visits_leaf_id_fkey;
-- Only that reference was served by it.
drop index sessions_active_leaf;

-- What a tool keeps that a person executed beside their chats counts for their storage: set when its run is over.
alter table runs add column stored_bytes bigint not null default 0;
update runs set stored_bytes =
  coalesce((select sum(pg_column_size(value)) from run_records where run_id = runs.id), 0)
  + coalesce((select sum(pg_column_size(result)) from tool_executions where run_id = runs.id), 0)
  where kind = 'tool' and finished_at is not null;
create index runs_standalone on runs (user_id) include (stored_bytes) where kind = 'tool';
