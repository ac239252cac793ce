-- What changed for a person, for the stream their tabs read. Written by `tell_user` and by nothing else; swept after a day.
create table user_events (
  id bigint generated always as identity primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  data json not null,
  created_at timestamptz not null default clock_timestamp()
);
-- A database that was restored counts from above what readers remember of the one before.
do $$ begin
  execute format('alter table user_events alter id restart with %s', (extract(epoch from now()) * 1000)::bigint);
end $$;
create index user_events_user on user_events (user_id, id);
create index user_events_created on user_events (created_at);

-- Called when a transaction is committed (deferred triggers) and last of all locks: the ids of a person grow in the order
-- in which their changes are seen, so a reader that comes back with an id misses none.
create function tell_user(person uuid, what text, facts json) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(11, hashtext(person::text));
  -- A person who is deleted takes the rest along.
  insert into user_events (user_id, kind, data) select id, what, facts from users where id = person;
  if found then perform pg_notify('atrium_user_events', person::text); end if;
end $$;

create function tell_of_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform tell_user(old.user_id, 'session_deleted', json_build_object('session_id', old.id));
  else
    perform tell_user(new.user_id, case tg_op when 'INSERT' then 'session_created' else 'session_changed' end,
      json_build_object('session_id', new.id, 'title', new.title, 'status', new.status, 'agent_status', new.agent_status));
  end if;
  return null;
end $$;
create constraint trigger session_told after insert or delete on sessions
deferrable initially deferred for each row execute function tell_of_session();
create constraint trigger session_change_told after update of title, status, agent_status on sessions
deferrable initially deferred for each row
when ((old.title, old.status, old.agent_status) is distinct from (new.title, new.status, new.agent_status))
execute function tell_of_session();

create function tell_of_request() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'request_' || case new.state when 'waiting' then 'opened' else new.state end,
    json_build_object('run_id', new.run_id, 'session_id', new.session_id));
  return null;
end $$;
create constraint trigger request_told after insert on input_requests
deferrable initially deferred for each row execute function tell_of_request();
create constraint trigger request_change_told after update of state on input_requests
deferrable initially deferred for each row
when (old.state is distinct from new.state) execute function tell_of_request();

-- Runs that stand still until somebody pays, and those that do so no more.
create function tell_of_payment() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id,
    case when new.state = 'paused' and new.paused_for = 'balance' then 'run_unpaid' else 'run_paid' end,
    json_build_object('run_id', new.id, 'session_id', new.session_id));
  return null;
end $$;
create constraint trigger payment_told after update of state, paused_for on runs
deferrable initially deferred for each row
when ((old.state = 'paused' and old.paused_for is not distinct from 'balance')
  is distinct from (new.state = 'paused' and new.paused_for is not distinct from 'balance'))
execute function tell_of_payment();

create function tell_of_balance() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'balance_changed', json_build_object('balance', new.balance));
  return null;
end $$;
create constraint trigger balance_told after insert on user_balances
deferrable initially deferred for each row execute function tell_of_balance();
create constraint trigger balance_change_told after update of balance on user_balances
deferrable initially deferred for each row
when (old.balance is distinct from new.balance) execute function tell_of_balance();
