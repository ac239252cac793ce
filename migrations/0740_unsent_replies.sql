-- An answer that a channel may not show has not failed: it is in the chat. People are notified of it as such.
create or replace function notification_default(what text, channel text) returns boolean language sql immutable as $$
  select case channel
    when 'mail' then what in ('question_waiting', 'reply_failed', 'reply_unsent', 'item_shared', 'budget_warning', 'budget_spent',
      'schedule_stopped', 'schedule_failed', 'reminder', 'deputy_asked', 'schedule_offered', 'mentioned',
      'connector_asks', 'connector_signed_out')
    when 'push' then what in ('question_waiting', 'reply_finished', 'reply_failed', 'reply_unsent', 'schedule_stopped',
      'schedule_failed', 'schedule_changed', 'reminder', 'deputy_asked', 'mentioned', 'connector_asks', 'connector_signed_out')
    else true end
$$;

create or replace function notify_of_post() returns trigger language plpgsql as $$
begin
  perform notify_person(s.user_id, 'reply_unsent', 'post ' || new.id, jsonb_build_object('session_id', s.id))
  from channel_events e join runs r on r.user_message_id = e.user_message_id and r.parent_run_id is null
    join sessions s on s.id = r.session_id
  where e.id = new.event_id and s.visitor_id is null and s.deleted_at is null
  order by r.created_at, r.id limit 1;
  return null;
end $$;

create or replace function read_of_marks() returns trigger language plpgsql as $$
begin
  perform read_notifications(array(select n.id from notifications n join sessions s on s.id = n.session_id
    where n.session_id = new.session_id and n.user_id = new.user_id and n.read_at is null
      and n.kind in ('reply_finished', 'reply_failed', 'reply_unsent', 'schedule_changed', 'mentioned') and s.activity <= new.seen
    order by n.id limit 10000));
  return null;
end $$;

update notifications set kind = 'reply_unsent' where kind = 'reply_failed' and event like 'post %';
update notification_deliveries d set kind = n.kind from notifications n
  where n.id = d.notification_id and n.kind = 'reply_unsent' and d.kind = 'reply_failed';
