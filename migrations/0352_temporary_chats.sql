-- A temporary chat exists while a browser renews its lease. An expired one cannot be read and is deleted by a job.
alter table sessions drop constraint sessions_origin_check;
alter table sessions add constraint sessions_origin_check
  check (origin in ('chat', 'program', 'embed', 'try', 'temporary'));
alter table sessions
  add column lease_until timestamptz,
  -- The sign-in that opened it; the chat ends with it.
  add column lease_token bytea;
alter table sessions add constraint sessions_lease_check
  check ((origin = 'temporary') = (lease_until is not null));
create index sessions_lease on sessions (lease_until) where lease_until is not null;
create index sessions_lease_token on sessions (lease_token) where lease_token is not null;

create function end_temporary_chats() returns trigger language plpgsql as $$
begin
  update sessions set lease_until = 'epoch' where lease_token = old.token_hash and lease_until is not null;
  return null;
end $$;
create trigger access_tokens_temporary_chats after delete on access_tokens
for each row execute function end_temporary_chats();

-- Other browsers and programs hear nothing of it.
create or replace function tell_of_request() returns trigger language plpgsql as $$
begin
  if exists (select from sessions where id = new.session_id and origin in ('embed', 'try', 'temporary')) then
    return null;
  end if;
  perform tell_user(new.user_id, 'request_' || case new.state when 'waiting' then 'opened' else new.state end,
    json_build_object('run_id', new.run_id, 'session_id', new.session_id));
  return null;
end $$;

create or replace function tell_webhooks_of_run() returns trigger language plpgsql as $$
begin
  if exists (select from sessions where id = new.session_id and origin = 'temporary') then return null; end if;
  perform tell_webhooks(new.user_id,
    case new.state when 'completed' then 'run.finished' when 'failed' then 'run.failed' else 'run.waits' end,
    json_build_object('run_id', new.id, 'session_id', new.session_id, 'message_id', new.message_id,
      'user_id', new.user_id, 'kind', new.kind, 'agent_type', new.agent_type));
  return null;
end $$;

-- A temporary chat that is kept enters the history.
create function tell_of_kept_session() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'session_created', json_build_object('session_id', new.id, 'title', new.title,
    'status', new.status, 'agent_status', new.agent_status, 'is_unread', false));
  return null;
end $$;
create constraint trigger session_kept_told after update of origin on sessions
deferrable initially deferred for each row when (old.origin = 'temporary' and new.origin = 'chat')
execute function tell_of_kept_session();
