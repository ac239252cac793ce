-- The key pair by which push services recognize this installation (VAPID, RFC 8292).
create table push_keys (
  id smallint primary key default 1 check (id = 1),
  public_key text not null,
  private_sealed text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Browsers that a person lets notify them. A subscription ends with the sign-in of its browser.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  token_hash bytea not null references access_tokens on delete cascade,
  -- Address at the push service of the browser, and the keys that encrypt for it (RFC 8291), base64url.
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_user on push_subscriptions (user_id, created_at, id);
create index push_subscriptions_token on push_subscriptions (token_hash);

alter table notification_deliveries drop constraint notification_deliveries_channel_check;
alter table notification_deliveries add check (channel in ('mail', 'push', 'webhook'));
-- Subscriptions that a push reached.
alter table notification_deliveries add column reached uuid[] not null default '{}';

create or replace function notification_default(what text, channel text) returns boolean language sql immutable as $$
  select case channel
    when 'mail' then what in ('question_waiting', 'reply_failed', 'item_shared', 'budget_warning', 'budget_spent',
      'schedule_stopped', 'reminder', 'deputy_asked', 'schedule_offered')
    when 'push' then what in ('question_waiting', 'reply_finished', 'reply_failed', 'schedule_stopped', 'reminder',
      'deputy_asked')
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
    budget_id, assistant_id, prompt_id, tool_set_id, sharer_id, facts, created_at)
  select id, what, about, inside, (facts ->> 'session_id')::uuid, (facts ->> 'run_id')::uuid, facts ->> 'request_key',
    (facts ->> 'document_id')::uuid, (facts ->> 'announcement_id')::uuid, (facts ->> 'budget_id')::uuid,
    (facts ->> 'assistant_id')::uuid, (facts ->> 'prompt_id')::uuid, (facts ->> 'tool_set_id')::uuid,
    (facts ->> 'sharer_id')::uuid, coalesce(facts -> 'budget', '{}'), moment
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
