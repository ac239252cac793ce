-- Locks of schedules come in one order: run, schedule, slot.
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
  end if;
  return true;
end $$;

-- Cost of a run with its sub-runs, in dollars.
create function cost_of_run(run uuid) returns numeric language sql stable as $$
  select coalesce(-sum(amount), 0) from ledger_entries where kind = 'usage'
    and run_id = any (array(select id from runs where id = run or parent_run_id = run))
$$;

-- Carries the state of a run over to its slot, in the transaction that changes the run. A slot that ended before its run,
-- because a person stopped it, still gets the cost.
create or replace function follow_run_of_slot() returns trigger language plpgsql as $$
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

-- Old slots are deleted. Their cost stays with the schedule.
alter table schedules add column cost_of_removed numeric not null default 0;
create index slots_old on slots (ended_at, id) where ended_at is not null;
