-- Calls of other programs are runs in chats of their own, which stand in nobody's history.
alter table sessions add column origin text not null default 'chat' check (origin in ('chat', 'program'));
create index sessions_programs on sessions (created_at) where origin = 'program';

-- Of these the tabs of a person hear nothing but what waits for them.
create or replace function tell_of_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.origin = 'chat' then
      perform tell_user(old.user_id, 'session_deleted', json_build_object('session_id', old.id));
    end if;
  elsif new.origin = 'chat' then
    perform tell_user(new.user_id, case tg_op when 'INSERT' then 'session_created' else 'session_changed' end,
      json_build_object('session_id', new.id, 'title', new.title, 'status', new.status, 'agent_status', new.agent_status));
  end if;
  return null;
end $$;
