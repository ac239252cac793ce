-- The model that is asked instead while the provider of this one fails.
alter table model_overrides add column fallback_id text;

-- Keys of a connection beside its first one, which stands in the connection.
create table model_keys (
  id uuid primary key default gen_random_uuid(),
  connection_id uuid not null references model_connections on delete cascade,
  api_key_sealed text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index model_keys_connection on model_keys (connection_id);

-- Keys that a provider refused or limits, of stored and environment connections alike; `first` is the key of the connection itself.
create table model_key_rests (
  connection_id text not null,
  key_id text not null,
  until timestamptz not null,
  refused boolean not null,
  primary key (connection_id, key_id)
);

-- What may be asked of a provider in any minute, of stored and environment connections alike.
create table model_limits (
  provider text primary key,
  requests_per_minute integer check (requests_per_minute > 0),
  tokens_per_minute integer check (tokens_per_minute > 0)
);

-- When requests went out, or will. They count for a minute: a crash of the database may forget them.
create unlogged table model_requests (
  id uuid primary key default gen_random_uuid(),
  provider text not null,
  begins timestamptz not null,
  tokens integer not null
);
create index model_requests_provider on model_requests (provider, begins desc);

-- Gives a request the first moment at which it keeps within both limits, behind all that came before it: nobody is overtaken, so nobody waits
-- for ever. Beyond `most_ms` it gets none. `reached` is the limit it waits for.
create function take_room(asked text, wanted integer, most_ms integer, out request uuid, out wait_ms integer, out reached text)
language plpgsql as $$
declare
  rule model_limits;
  now_at timestamptz;
  newest timestamptz;
  by_requests timestamptz;
  by_tokens timestamptz;
  begins_at timestamptz;
begin
  wait_ms := 0;
  select * into rule from model_limits where provider = asked for update;
  if not found then return; end if;
  now_at := clock_timestamp();
  delete from model_requests where provider = asked and begins <= now_at - interval '1 minute';
  select max(begins) into newest from model_requests where provider = asked;
  if rule.requests_per_minute is not null then
    select begins + interval '1 minute' into by_requests from model_requests
    where provider = asked order by begins desc offset rule.requests_per_minute - 1 limit 1;
  end if;
  if rule.tokens_per_minute is not null then
    select begins + interval '1 minute' into by_tokens
    from (select begins, sum(tokens) over (order by begins desc, id) as used from model_requests where provider = asked) taken
    where used + least(wanted, rule.tokens_per_minute) > rule.tokens_per_minute order by begins desc limit 1;
  end if;
  begins_at := greatest(now_at, newest, by_requests, by_tokens);
  wait_ms := ceil(extract(epoch from begins_at - now_at) * 1000);
  reached := case
    when wait_ms = 0 then null
    when rule.requests_per_minute is null or by_tokens > coalesce(by_requests, '-infinity') then 'tokens'
    else 'requests' end;
  if wait_ms > most_ms then return; end if;
  insert into model_requests (provider, begins, tokens) values (asked, begins_at, wanted) returning id into request;
end $$;
