-- Schedules: prompts and reminders that run at times of a rule in a time zone.
-- The clock of schedules. Tests replace this function to move the time.
create function schedule_now() returns timestamptz language sql volatile as $$ select clock_timestamp() $$;

create table schedule_limits (
  only_row boolean primary key default true check (only_row),
  min_minutes integer not null check (min_minutes between 1 and 1440),
  max_per_person integer not null check (max_per_person between 0 and 10000)
);

create table schedules (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('prompt', 'reminder')),
  name text not null,
  rule jsonb not null,
  time_zone text not null,
  -- Intervals count from here.
  anchor_at timestamptz not null,
  text text not null,
  fields jsonb not null default '[]',
  -- Assistant, documents, tools and project, with their names when they were chosen.
  things jsonb not null default '[]',
  model_name text,
  target text not null default 'one_chat' check (target in ('one_chat', 'new_chats')),
  only_changes boolean not null default false,
  -- The chat of `one_chat`, once it exists.
  session_id uuid references sessions on delete set null,
  max_cost numeric,
  max_minutes integer,
  overlap text not null default 'wait' check (overlap in ('wait', 'skip', 'parallel')),
  missed text not null default 'last' check (missed in ('skip', 'last', 'all')),
  deputy_id uuid references users on delete set null,
  deputy_after_minutes integer not null default 1440,
  skip_after_minutes integer,
  state text not null default 'on' check (state in ('on', 'paused', 'stopped', 'ended')),
  -- Why it was stopped: {code, name, detail}.
  stopped_for jsonb,
  failures integer not null default 0,
  transfer_to uuid references users on delete set null,
  -- Slots exist up to this time.
  planned_until timestamptz not null,
  -- Hash of the latest result.
  last_result text,
  -- Old slots are deleted. Their cost stays here.
  cost_of_removed numeric not null default 0,
  -- The text of a schedule that was taken over is someone else's, as that of an assistant (0290).
  is_by_others boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check (not (target = 'one_chat' and overlap = 'parallel'))
);
create index schedules_user on schedules (user_id, created_at desc, id);
create index schedules_to_plan on schedules (planned_until, id) where state = 'on';
create index schedules_transfer on schedules (transfer_to) where transfer_to is not null;
create index schedules_deputy on schedules (deputy_id) where deputy_id is not null;
create index schedules_session on schedules (session_id) where session_id is not null;

-- One row for each time a schedule is due. `origin` is `rule`, or names the request to run it now.
create table slots (
  id uuid primary key default gen_random_uuid(),
  schedule_id uuid not null references schedules on delete cascade,
  due_at timestamptz not null,
  origin text not null default 'rule',
  -- waiting: the previous slot is not over. asking: its run waits for a person.
  state text not null default 'planned' check (state in ('planned', 'waiting', 'running', 'asking', 'completed', 'failed',
    'stopped', 'missed', 'skipped')),
  -- Why it failed, was missed or was skipped: {code, name, detail}.
  reason jsonb,
  -- A process prepares its start until then.
  claimed_until timestamptz,
  session_id uuid references sessions on delete set null,
  message_id uuid references messages on delete set null,
  run_id uuid references runs on delete set null,
  started_at timestamptz,
  ended_at timestamptz,
  cost numeric,
  -- Beginning of the reply.
  result text,
  -- True when the result was that of the previous slot.
  is_same boolean not null default false,
  -- Set while it asks.
  deputy_at timestamptz,
  deputy_asked_at timestamptz,
  skip_at timestamptz,
  unique (schedule_id, due_at, origin)
);
create index slots_old on slots (ended_at, id) where ended_at is not null;
create unique index slots_by_hand on slots (schedule_id, origin) where origin <> 'rule';
create index slots_log on slots (schedule_id, due_at desc, id);
create index slots_due on slots (due_at, id) where state in ('planned', 'waiting');
create index slots_active on slots (schedule_id) where state in ('running', 'asking');
create index slots_asking on slots (skip_at) where state = 'asking';
create index slots_session on slots (session_id) where session_id is not null;
create unique index slots_message on slots (message_id) where message_id is not null;
create index slots_run on slots (run_id) where run_id is not null;

alter table notifications
  add column schedule_id uuid references schedules on delete cascade,
  add column slot_id uuid references slots on delete cascade;
create index notifications_schedule on notifications (schedule_id) where schedule_id is not null;
create index notifications_slot on notifications (slot_id) where slot_id is not null;

-- Like `notify_person`, for schedules and their slots.
create function notify_of_schedule(person uuid, what text, about text, schedule uuid, slot uuid) returns void
language plpgsql as $$
begin
  perform notify_person(person, what, about, '{}');
  update notifications set schedule_id = schedule, slot_id = slot
  where user_id = person and event = about and schedule_id is null;
end $$;

-- Ends a slot that is not over yet. Three failures in a row stop the schedule. Returns whether the slot was ended.
-- Locks of schedules come in one order: run, schedule, slot.
create function end_slot(slot uuid, into_state text, because jsonb) returns boolean language plpgsql as $$
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
  end if;
  return true;
end $$;

-- Ends the slot of a reminder and notifies its owner.
create function end_slot_of_reminder(slot uuid, schedule uuid) returns boolean language plpgsql as $$
begin
  perform notify_of_schedule((select user_id from schedules where id = schedule), 'reminder', 'slot ' || slot || ' reminds',
    schedule, slot);
  return end_slot(slot, 'completed', null);
end $$;

-- Cost of a run with its sub-runs, in dollars.
create function cost_of_run(run uuid) returns numeric language sql stable as $$
  select coalesce(-sum(amount), 0) from ledger_entries where kind = 'usage'
    and run_id = any (array(select id from runs where id = run or parent_run_id = run))
$$;

-- Carries the state of a run over to its slot, in the transaction that changes the run. A slot that ended before its run,
-- because a person stopped it, still gets the cost.
create function follow_run_of_slot() returns trigger language plpgsql as $$
declare
  slot slots;
  schedule schedules;
  reply text;
  digest text;
begin
  select c.* into schedule from slots s join schedules c on c.id = s.schedule_id
  where s.message_id = new.user_message_id for no key update of c;
  if schedule.id is null then return null; end if;
  select * into slot from slots where message_id = new.user_message_id for update;
  if slot.state not in ('running', 'asking') then
    update slots set cost = cost_of_run(new.id)
    where id = slot.id and run_id = new.id and new.state in ('completed', 'failed', 'stopped');
    return null;
  end if;
  if new.state in ('queued', 'running') then
    update slots set state = 'running', run_id = new.id, deputy_at = null, skip_at = null where id = slot.id;
    return null;
  end if;
  if new.state in ('waiting', 'paused') then
    update slots set state = 'asking', run_id = new.id, deputy_asked_at = null,
      deputy_at = case when new.state = 'waiting' and schedule.deputy_id is not null
        then schedule_now() + schedule.deputy_after_minutes * interval '1 minute' end,
      skip_at = schedule_now() + schedule.skip_after_minutes * interval '1 minute'
    where id = slot.id;
    return null;
  end if;
  select content into reply from messages where id = new.message_id;
  update slots set run_id = new.id, result = left(reply, 300), cost = cost_of_run(new.id) where id = slot.id;
  if new.state = 'completed' then
    digest = md5(regexp_replace(trim(coalesce(reply, '')), '\s+', ' ', 'g'));
    if schedule.only_changes and schedule.last_result = digest then
      update slots set is_same = true where id = slot.id;
      if schedule.target = 'new_chats' then
        update sessions set deleted_at = clock_timestamp() where id = slot.session_id and deleted_at is null;
      else
        update sessions set active_leaf = (select parent_id from messages where id = slot.message_id)
        where id = slot.session_id and active_leaf = new.message_id
          and (select parent_id from messages where id = slot.message_id) is not null;
      end if;
    end if;
    update schedules set last_result = digest where id = schedule.id;
  end if;
  perform end_slot(slot.id, new.state, case when new.state = 'failed'
    then jsonb_build_object('code', coalesce(new.error ->> 'code', 'failed'), 'detail', left(new.error ->> 'detail', 500)) end);
  return null;
end $$;
-- Its name comes before those of the triggers that tell of the run.
create constraint trigger a_slot_follows_run after insert or update of state on runs
deferrable initially deferred for each row
when (new.parent_run_id is null and new.user_message_id is not null)
execute function follow_run_of_slot();

-- A slot whose run was deleted with its chat is over.
create function end_slot_without_run() returns trigger language plpgsql as $$
begin
  perform end_slot(new.id, 'stopped', '{"code": "chat_deleted"}');
  return null;
end $$;
create trigger slot_lost_run after update of message_id on slots for each row
when (old.message_id is not null and new.message_id is null and new.state in ('running', 'asking'))
execute function end_slot_without_run();

-- A result that a schedule does not keep notifies nobody.
create or replace function notify_of_run() returns trigger language plpgsql as $$
begin
  perform notify_person(s.user_id, case new.state when 'completed' then 'reply_finished' else 'reply_failed' end,
    'run ' || new.id || ' ' || new.state, jsonb_build_object('session_id', s.id))
  from sessions s where s.id = new.session_id and s.origin = 'chat' and s.deleted_at is null
    and not exists (select from slots where run_id = new.id and is_same);
  return null;
end $$;

-- The result of a slot goes with its chat.
create function forget_result_of_slot() returns trigger language plpgsql as $$
begin
  new.result = null;
  return new;
end $$;
create trigger slot_lost_chat before update of session_id on slots for each row
when (old.session_id is not null and new.session_id is null)
execute function forget_result_of_slot();
