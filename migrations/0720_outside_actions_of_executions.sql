-- What a call had prepared outside goes with its execution. The primary key is the index of the reference.
delete from outside_actions a where not exists (select from tool_executions e where e.id = a.execution_id);
alter table outside_actions drop constraint if exists outside_actions_execution_id_fkey;
alter table outside_actions add constraint outside_actions_execution_id_fkey
  foreign key (execution_id) references tool_executions on delete cascade;
