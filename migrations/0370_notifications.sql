-- Choices of a person about notifications. Without a row, the defaults hold.
create table notification_settings (
  user_id uuid primary key references users on delete cascade,
  -- {"<kind>.<channel>": boolean}. A missing one is `notification_default`.
  switches jsonb not null default '{}',
  -- Minutes after midnight in `time_zone`; both null without quiet hours.
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  quiet_weekends boolean not null default false,
  time_zone text not null default 'UTC',
  only_away boolean not null default true,
  -- Minutes after midnight of the daily mail; null for mails as things happen.
  digest_at smallint check (digest_at between 0 and 1439),
  -- Mails quote questions and replies.
  shows_content boolean not null default false,
  check ((quiet_from is null) = (quiet_until is null))
);
alter table companies add column mails_show_content boolean not null default false;

-- Browsers with a focused tab and an open stream of user events.
create table user_presence (
  user_id uuid not null references users on delete cascade,
  browser_id uuid not null,
  seen_at timestamptz not null,
  primary key (user_id, browser_id)
);
create function is_present(person uuid, moment timestamptz) returns boolean language sql stable as $$
  select exists (select from user_presence where user_id = person and seen_at > moment - interval '1 minute')
$$;

-- One row per person and event. Names and texts are read from the things themselves.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null,
  event text not null,
  in_app boolean not null,
  session_id uuid references sessions on delete cascade,
  run_id uuid,
  request_key text,
  document_id uuid references documents on delete cascade,
  announcement_id uuid references announcements on delete cascade,
  budget_id uuid references budgets on delete cascade,
  assistant_id uuid references assistants on delete cascade,
  prompt_id uuid references prompts on delete cascade,
  tool_set_id uuid references own_tool_sets on delete cascade,
  sharer_id uuid references users on delete set null,
  -- Numbers of a budget at that moment.
  facts jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  foreign key (run_id, request_key) references input_requests on delete cascade,
  unique (user_id, event)
);
create index notifications_user on notifications (user_id, created_at desc, id);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_created on notifications (created_at);
create index notifications_session on notifications (session_id) where session_id is not null;
create index notifications_request on notifications (run_id, request_key) where run_id is not null;
create index notifications_document on notifications (document_id) where document_id is not null;
create index notifications_announcement on notifications (announcement_id) where announcement_id is not null;
create index notifications_budget on notifications (budget_id) where budget_id is not null;
create index notifications_assistant on notifications (assistant_id) where assistant_id is not null;
create index notifications_prompt on notifications (prompt_id) where prompt_id is not null;
create index notifications_tool_set on notifications (tool_set_id) where tool_set_id is not null;
create index notifications_sharer on notifications (sharer_id) where sharer_id is not null;

-- One row per notification and channel outside of the product. `sending` is committed before a mail leaves, so that no mail
-- is sent twice.
create table notification_deliveries (
  notification_id uuid not null references notifications on delete cascade,
  channel text not null check (channel in ('mail', 'webhook')),
  user_id uuid not null references users on delete cascade,
  kind text not null,
  -- unknown: the server stopped, or lost the mail server, while it was being sent.
  -- skipped: it was read before, or is wanted no more.
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed', 'unknown', 'skipped')),
  tries int not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- Mail that combines several notifications.
  mail_id uuid,
  -- Reply of the mail server.
  said text,
  changed_at timestamptz not null,
  primary key (notification_id, channel)
);
create index notification_deliveries_due on notification_deliveries (channel, due_at) where state = 'waiting';
create index notification_deliveries_sending on notification_deliveries (mail_id) where state = 'sending';
create index notification_deliveries_user on notification_deliveries (user_id, kind, channel, changed_at);

create function notification_default(what text, channel text) returns boolean language sql immutable as $$
  select case channel
    when 'mail' then what in ('question_waiting', 'reply_failed', 'item_shared', 'budget_warning', 'budget_spent')
    else true end
$$;
create function is_notified_by(person uuid, what text, channel text) returns boolean language sql stable as $$
  select coalesce((select (switches ->> (what || '.' || channel))::boolean
    from notification_settings where user_id = person), notification_default(what, channel))
$$;

-- Writes a notification and its deliveries, once per person and event. Called by deferred triggers, like `tell_user`, whose
-- lock comes first, so that two transactions never wait for each other's rows.
create function notify_person(person uuid, what text, about text, facts jsonb) returns void language plpgsql as $$
declare
  made uuid;
  moment timestamptz := clock_timestamp();
  by_mail boolean := what <> 'announcement' and is_notified_by(person, what, 'mail');
  by_webhook boolean := is_notified_by(person, what, 'webhook') and exists (
    select from webhooks where is_on and 'notification.created' = any (events) and (user_id = person
      or company_id in (select company_id from company_members where user_id = person)));
  inside boolean := is_notified_by(person, what, 'in_app');
begin
  if not (by_mail or by_webhook or inside) then return; end if;
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
  from (values ('mail', by_mail, interval '1 minute'), ('webhook', by_webhook, interval '0')) told (channel, is_on, wait)
  where is_on;
  if inside then perform tell_user(person, 'notifications_changed', '{}'); end if;
end $$;

create function read_notifications(ids uuid[]) returns void language plpgsql as $$
declare
  person uuid;
begin
  for person in
    with changed as (update notifications set read_at = clock_timestamp()
      where id = any (ids) and read_at is null returning user_id)
    select distinct user_id from changed order by 1
  loop
    perform tell_user(person, 'notifications_changed', '{}');
  end loop;
end $$;

create function notify_of_run() returns trigger language plpgsql as $$
begin
  perform notify_person(s.user_id, case new.state when 'completed' then 'reply_finished' else 'reply_failed' end,
    'run ' || new.id || ' ' || new.state, jsonb_build_object('session_id', s.id))
  from sessions s where s.id = new.session_id and s.origin = 'chat' and s.deleted_at is null;
  return null;
end $$;
create constraint trigger notified_of_run after update of state on runs
deferrable initially deferred for each row
when (old.state is distinct from new.state and new.parent_run_id is null and new.session_id is not null
  and new.state in ('completed', 'failed'))
execute function notify_of_run();

create function read_of_marks() returns trigger language plpgsql as $$
begin
  perform read_notifications(array(select n.id from notifications n join sessions s on s.id = n.session_id
    where n.session_id = new.session_id and n.user_id = new.user_id and n.read_at is null
      and n.kind in ('reply_finished', 'reply_failed') and s.activity <= new.seen
    order by n.id limit 10000));
  return null;
end $$;
create constraint trigger notifications_read_by_marks after insert or update of seen on session_marks
deferrable initially deferred for each row execute function read_of_marks();

create function notify_of_request() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform read_notifications(array(select id from notifications
      where run_id = new.run_id and request_key = new.key and read_at is null order by id limit 10));
  elsif not exists (select from sessions where id = new.session_id and origin in ('embed', 'try', 'temporary')) then
    perform notify_person(new.user_id, 'question_waiting', 'request ' || new.run_id || ' ' || new.key,
      jsonb_build_object('session_id', new.session_id, 'run_id', new.run_id, 'request_key', new.key));
  end if;
  return null;
end $$;
create constraint trigger notified_of_request after insert on input_requests
deferrable initially deferred for each row when (new.state = 'waiting') execute function notify_of_request();
create constraint trigger notifications_read_by_answer after update of state on input_requests
deferrable initially deferred for each row
when (old.state = 'waiting' and new.state <> 'waiting') execute function notify_of_request();

create function notify_of_document() returns trigger language plpgsql as $$
begin
  perform notify_person(new.user_id, case new.status when 'completed' then 'document_ready' else 'document_failed' end,
    'document ' || new.id || ' ' || new.version || ' ' || new.status, jsonb_build_object('document_id', new.id));
  return null;
end $$;
create constraint trigger notified_of_document after update of status, version on documents
deferrable initially deferred for each row
when (new.status in ('completed', 'failed') and (old.status, old.version) is distinct from (new.status, new.version))
execute function notify_of_document();

create function notify_of_budget() returns trigger language plpgsql as $$
declare
  person uuid;
  level int := case when new.spent >= new.amount then 100 else 80 end;
begin
  for person in
    select new.user_id where new.user_id is not null
    union select user_id from access_keys where id = new.key_id
    union select user_id from assistants where id::text = new.assistant_id
    union select user_id from company_members
      where company_id in (select new.company_id union select g.company_id from groups g where g.id = new.group_id)
        and role <> 'member'
    union select user_id from company_members where new.kind = 'house' and role = 'super_admin'
    order by 1 limit 100
  loop
    perform notify_person(person, case level when 80 then 'budget_warning' else 'budget_spent' end,
      'budget ' || new.id || ' ' || new.since || ' ' || level || ' ' || new.amount,
      jsonb_build_object('budget_id', new.id, 'budget', jsonb_build_object('kind', new.kind, 'period', new.period,
        'name', coalesce((select name from companies where id = new.company_id),
          (select name from groups where id = new.group_id),
          (select name from access_keys where id = new.key_id),
          (select name from assistants where id::text = new.assistant_id)),
        'assistant_id', new.assistant_id, 'amount', new.amount::float8, 'spent', new.spent::float8)));
  end loop;
  return null;
end $$;
create constraint trigger notified_of_budget after update of spent on budgets
deferrable initially deferred for each row
when (new.amount > 0 and new.spent >= 0.8 * new.amount and (old.since <> new.since or old.spent < 0.8 * old.amount
  or (new.spent >= new.amount and old.spent < old.amount)))
execute function notify_of_budget();

-- One function for the three tables of shares; its argument is the column of the shared thing.
create function notify_of_share() returns trigger language plpgsql as $$
declare
  thing uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
  owner uuid;
  person uuid;
begin
  execute format('select user_id from %I where id = $1', tg_argv[1]) into owner using thing;
  for person in
    select new.person_id where new.person_id is not null
    union select user_id from group_members where group_id = new.group_id
    union select user_id from company_members where company_id = new.company_id
    order by 1 limit 10000
  loop
    if person is distinct from owner and person is distinct from new.shared_by then
      perform notify_person(person, 'item_shared', 'share ' || new.id, jsonb_build_object(tg_argv[2], thing,
        'sharer_id', coalesce(new.shared_by, owner)));
    end if;
  end loop;
  return null;
end $$;
create function forget_share() returns trigger language plpgsql as $$
begin
  delete from notifications where kind = 'item_shared' and event = 'share ' || old.id;
  return null;
end $$;
create index notifications_event on notifications (event) where kind = 'item_shared';
create constraint trigger notified_of_share after insert on assistant_shares
deferrable initially deferred for each row execute function notify_of_share('assistant_id', 'assistants', 'assistant_id');
create constraint trigger notified_of_share after insert on prompt_shares
deferrable initially deferred for each row execute function notify_of_share('prompt_id', 'prompts', 'prompt_id');
create constraint trigger notified_of_share after insert on own_tool_shares
deferrable initially deferred for each row execute function notify_of_share('set_id', 'own_tool_sets', 'tool_set_id');
create trigger notifications_of_share_gone after delete on assistant_shares for each row execute function forget_share();
create trigger notifications_of_share_gone after delete on prompt_shares for each row execute function forget_share();
create trigger notifications_of_share_gone after delete on own_tool_shares for each row execute function forget_share();

create function read_of_dismissal() returns trigger language plpgsql as $$
begin
  perform read_notifications(array(select id from notifications
    where announcement_id = new.announcement_id and user_id = new.user_id and read_at is null order by id limit 10));
  return null;
end $$;
create constraint trigger notifications_read_by_dismissal after insert on announcement_dismissals
deferrable initially deferred for each row execute function read_of_dismissal();
