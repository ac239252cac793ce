-- Notifications lead to one message, and report mentions of people, failed runs and new results of schedules.
alter table notifications add column message_id uuid references messages on delete cascade;
create index notifications_message on notifications (message_id) where message_id is not null;

create or replace function notification_default(what text, channel text) returns boolean language sql immutable as $$
  select case channel
    when 'mail' then what in ('question_waiting', 'reply_failed', 'item_shared', 'budget_warning', 'budget_spent',
      'schedule_stopped', 'schedule_failed', 'reminder', 'deputy_asked', 'schedule_offered', 'mentioned')
    when 'push' then what in ('question_waiting', 'reply_finished', 'reply_failed', 'schedule_stopped', 'schedule_failed',
      'schedule_changed', 'reminder', 'deputy_asked', 'mentioned')
    else true end
$$;

create or replace function notify_person(person uuid, what text, about text, facts jsonb) returns void language plpgsql as $$
declare
  made uuid;
  moment timestamptz := clock_timestamp();
  by_mail boolean := what <> 'announcement' and is_notified_by(person, what, 'mail');
  by_push boolean := is_notified_by(person, what, 'push')
    and exists (select from push_subscriptions where user_id = person);
  by_webhook boolean := is_notified_by(person, what, 'webhook') and exists (
    select from webhooks where is_on and 'notification.created' = any (events) and (user_id = person
      or company_id in (select company_id from company_members where user_id = person)));
  inside boolean := is_notified_by(person, what, 'in_app');
begin
  if not (by_mail or by_push or by_webhook or inside) then return; end if;
  perform pg_advisory_xact_lock(11, hashtext(person::text));
  insert into notifications (user_id, kind, event, in_app, session_id, run_id, request_key, document_id, announcement_id,
    budget_id, assistant_id, prompt_id, tool_set_id, sharer_id, message_id, facts, created_at)
  select id, what, about, inside, (facts ->> 'session_id')::uuid, (facts ->> 'run_id')::uuid, facts ->> 'request_key',
    (facts ->> 'document_id')::uuid, (facts ->> 'announcement_id')::uuid, (facts ->> 'budget_id')::uuid,
    (facts ->> 'assistant_id')::uuid, (facts ->> 'prompt_id')::uuid, (facts ->> 'tool_set_id')::uuid,
    (facts ->> 'sharer_id')::uuid, (facts ->> 'message_id')::uuid, coalesce(facts -> 'budget', '{}'), moment
  from users where id = person and deactivated_at is null
  on conflict (user_id, event) do nothing returning id into made;
  if made is null then return; end if;
  -- A mail waits a minute, in which its place may be read.
  insert into notification_deliveries (notification_id, channel, user_id, kind, due_at, created_at, changed_at)
  select made, channel, person, what, moment + wait, moment, moment
  from (values ('mail', by_mail, interval '1 minute'), ('push', by_push, interval '0'), ('webhook', by_webhook, interval '0'))
    told (channel, is_on, wait)
  where is_on;
  if by_push then perform pg_notify('atrium_push', ''); end if;
  if inside then perform tell_user(person, 'notifications_changed', '{}'); end if;
end $$;

create or replace function end_slot(slot uuid, into_state text, because jsonb) returns boolean language plpgsql as $$
declare
  ended slots;
  schedule schedules;
  stops boolean;
begin
  select * into schedule from schedules where id = (select schedule_id from slots where id = slot) for no key update;
  update slots set state = into_state, reason = because, ended_at = schedule_now(), claimed_until = null
  where id = slot and state in ('planned', 'waiting', 'running', 'asking') returning * into ended;
  if ended.id is null then return false; end if;
  stops = into_state = 'failed' and schedule.state = 'on' and schedule.failures >= 2;
  update schedules set
    failures = case into_state when 'failed' then failures + 1 when 'completed' then 0 else failures end,
    state = case when stops then 'stopped'
      when state = 'on' and rule ->> 'kind' = 'once' and ended.origin = 'rule' then 'ended' else state end,
    stopped_for = case when stops then because else stopped_for end
  where id = schedule.id;
  if stops then
    perform notify_of_schedule(schedule.user_id, 'schedule_stopped', 'slot ' || slot || ' stopped', schedule.id, slot);
    update slots set state = 'skipped', reason = '{"code": "stopped"}', ended_at = schedule_now()
    where schedule_id = schedule.id and state = 'waiting';
    delete from slots where schedule_id = schedule.id and state = 'planned';
  elsif into_state = 'failed' then
    perform notify_of_schedule(schedule.user_id, 'schedule_failed', 'slot ' || slot || ' failed', schedule.id, slot);
  end if;
  return true;
end $$;

-- A failed run of a schedule is reported by `end_slot`. A schedule that keeps only changes reports each of them as such.
create or replace function notify_of_run() returns trigger language plpgsql as $$
declare
  slot slots;
  only_changes boolean;
  about text := 'run ' || new.id || ' ' || new.state;
  place jsonb := jsonb_build_object('session_id', new.session_id, 'message_id', new.message_id);
  owner uuid;
begin
  select s.user_id into owner from sessions s
  where s.id = new.session_id and s.origin = 'chat' and s.deleted_at is null;
  if owner is null then return null; end if;
  select * into slot from slots where run_id = new.id limit 1;
  if slot.id is not null and (slot.is_same or new.state = 'failed') then return null; end if;
  select c.only_changes into only_changes from schedules c where c.id = slot.schedule_id;
  if only_changes then
    perform notify_person(owner, 'schedule_changed', about, place);
    update notifications set schedule_id = slot.schedule_id, slot_id = slot.id
    where user_id = owner and event = about and schedule_id is null;
  else
    perform notify_person(owner, case new.state when 'completed' then 'reply_finished' else 'reply_failed' end, about, place);
  end if;
  return null;
end $$;

create or replace function read_of_marks() returns trigger language plpgsql as $$
begin
  perform read_notifications(array(select n.id from notifications n join sessions s on s.id = n.session_id
    where n.session_id = new.session_id and n.user_id = new.user_id and n.read_at is null
      and n.kind in ('reply_finished', 'reply_failed', 'schedule_changed', 'mentioned') and s.activity <= new.seen
    order by n.id limit 10000));
  return null;
end $$;

create or replace function notify_of_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform read_notifications(array(select id from notifications
      where run_id = new.run_id and request_key = new.key and read_at is null order by id limit 10));
  elsif not exists (select from sessions where id = new.session_id and origin in ('embed', 'try', 'temporary')) then
    perform notify_person(new.user_id, 'question_waiting', 'request ' || new.run_id || ' ' || new.key,
      jsonb_build_object('session_id', new.session_id, 'run_id', new.run_id, 'request_key', new.key,
        'message_id', (select message_id from runs where id = new.run_id and new.session_id is not null)));
  end if;
  return null;
end $$;

-- Tells the members of a project who are named in a chat that is shared with it. The author of the chat is not told.
create function notify_of_mention() returns trigger language plpgsql as $$
declare
  chat sessions;
  person uuid;
begin
  select * into chat from sessions
  where id = new.session_id and origin = 'chat' and deleted_at is null and shared_with_project;
  if chat.id is null then return null; end if;
  for person in
    select distinct member.id from jsonb_array_elements(new.metadata -> 'mentions') named
      join people_of_project(chat.workspace_id) member (id) on member.id::text = named ->> 'id'
    where named ->> 'kind' = 'person' and member.id <> chat.user_id order by 1 limit 100
  loop
    perform notify_person(person, 'mentioned', 'mention ' || new.id,
      jsonb_build_object('session_id', chat.id, 'message_id', new.id, 'sharer_id', chat.user_id));
  end loop;
  return null;
end $$;
create constraint trigger notified_of_mention after insert on messages
deferrable initially deferred for each row
when (new.role = 'user' and not new.is_by_others and new.metadata @> '{"mentions": [{"kind": "person"}]}')
execute function notify_of_mention();
