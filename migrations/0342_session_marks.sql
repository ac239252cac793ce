-- How a person organizes a chat: pinned, archived, tagged, seen. One row per person and chat.
create table session_marks (
  user_id uuid not null references users on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  -- Place among the pinned chats; null for a chat that is not pinned.
  position integer,
  archived_at timestamptz,
  tags text[] not null default '{}',
  -- The activity of the chat at the last visit.
  seen integer not null default 0,
  primary key (user_id, session_id)
);
create index session_marks_session on session_marks (session_id);
create index session_marks_pinned on session_marks (user_id, position) where position is not null;

-- Counts what a person may want to know of: a reply, its failure, a question, a pause.
alter table sessions add column activity integer not null default 0;

create function count_activity() returns trigger language plpgsql as $$
begin
  new.activity = old.activity + 1;
  return new;
end $$;
create trigger session_activity before update of status, agent_status on sessions
for each row when ((old.status, old.agent_status) is distinct from (new.status, new.agent_status)
  and (new.status in ('COMPLETED', 'FAILED') or new.agent_status is not distinct from 'paused'))
execute function count_activity();

-- A deleted chat can be restored for a moment. Until then it is hidden from everybody.
alter table sessions add column deleted_at timestamptz;
create index sessions_deleted on sessions (deleted_at) where deleted_at is not null;

create or replace function tell_of_session() returns trigger language plpgsql as $$
declare kind text;
begin
  if coalesce(new.origin, old.origin) <> 'chat' then return null; end if;
  kind = case
    when tg_op = 'INSERT' then 'session_created'
    when tg_op = 'DELETE' or (old.deleted_at is null and new.deleted_at is not null) then 'session_deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'session_created'
    else 'session_changed' end;
  if kind = 'session_deleted' then
    if tg_op = 'DELETE' and old.deleted_at is not null then return null; end if;
    perform tell_user(old.user_id, kind, json_build_object('session_id', old.id));
  else
    perform tell_user(new.user_id, kind, json_build_object('session_id', new.id, 'title', new.title,
      'status', new.status, 'agent_status', new.agent_status,
      'is_unread', new.activity > coalesce((select seen from session_marks m
        where m.user_id = new.user_id and m.session_id = new.id), 0)));
  end if;
  return null;
end $$;
drop trigger session_change_told on sessions;
create constraint trigger session_change_told after update of title, status, agent_status, deleted_at on sessions
deferrable initially deferred for each row
when ((old.title, old.status, old.agent_status, old.deleted_at)
  is distinct from (new.title, new.status, new.agent_status, new.deleted_at))
execute function tell_of_session();

create function tell_of_marks() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'session_marked', json_build_object('session_id', new.session_id,
    'pin_position', new.position, 'is_archived', new.archived_at is not null, 'tags', new.tags,
    'is_unread', coalesce((select activity from sessions where id = new.session_id), 0) > new.seen));
  return null;
end $$;
-- A new row has no marks yet. Its first change follows in the same transaction.
create constraint trigger marks_change_told after update on session_marks
deferrable initially deferred for each row when (old is distinct from new) execute function tell_of_marks();
