-- Null stands for the default: whether a server takes one request at a time is known by its address, and how long its first word is waited
-- for by whether it is on this machine or network.
alter table model_limits
  add column one_at_a_time boolean,
  add column first_token_seconds integer check (first_token_seconds between 10 and 86400);

-- Calls of connections that take one request at a time. They end within moments of their process: a crash of the database may forget them.
create unlogged table model_slot_calls (
  id bigint generated always as identity primary key,
  provider text not null,
  person text not null,
  is_background boolean not null,
  round bigint not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'ended')),
  seen_at timestamptz not null default clock_timestamp()
);
create index model_slot_calls_provider on model_slot_calls (provider, id);

-- Puts a call into the queue of its provider. Each person has one call in a round, so nobody waits for all calls of another.
create function join_slot(asked text, who text, in_background boolean) returns bigint
language plpgsql as $$
declare
  now_served bigint;
  own_newest bigint;
  joined bigint;
begin
  perform pg_advisory_xact_lock(hashtext('model_slot_calls'), hashtext(asked));
  select max(round) into now_served from model_slot_calls where provider = asked and state = 'running';
  select max(round) into own_newest from model_slot_calls where provider = asked and person = who and who <> '' and is_background = in_background and state <> 'ended';
  insert into model_slot_calls (provider, person, is_background, round)
  values (asked, who, in_background, greatest(coalesce(now_served, 0), coalesce(own_newest + 1, 0)))
  returning id into joined;
  return joined;
end $$;

-- Starts a call when it is its turn. `ahead` counts the calls before it, with the one that runs; background calls give way, and do not count for others. A background call starts when no other call was
-- there for `idle_ms`, and is `wanted` back when one came. A call of a process that fell silent counts no more. No row: the call is unknown.
create function try_slot(asked text, mine bigint, idle_ms integer, silent_ms integer)
returns table (is_running boolean, ahead integer, is_wanted boolean)
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('model_slot_calls'), hashtext(asked));
  update model_slot_calls set seen_at = clock_timestamp() where id = mine;
  if not found then return; end if;
  delete from model_slot_calls where provider = asked
    and seen_at < clock_timestamp() - make_interval(secs => case state when 'ended' then idle_ms else silent_ms end / 1000.0);
  update model_slot_calls set state = 'running' where id = mine and state = 'waiting'
    and not exists (select from model_slot_calls where provider = asked and state = 'running')
    and id = (select id from model_slot_calls where provider = asked and state = 'waiting' order by is_background, round, id limit 1)
    and (not is_background or not exists (select from model_slot_calls where provider = asked and not is_background));
  return query
    with own as (select * from model_slot_calls where id = mine)
    select own.state = 'running',
      (select count(*)::int from model_slot_calls other where provider = asked and other.id <> mine
        and (own.is_background or not other.is_background) and (other.state = 'running'
        or (other.state = 'waiting' and (other.is_background, other.round, other.id) < (own.is_background, own.round, own.id)))),
      own.is_background and exists (select from model_slot_calls other where provider = asked and not other.is_background and other.state = 'waiting')
    from own;
end $$;
