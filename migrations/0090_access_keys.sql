-- What another program calls with in the name of a person, or a page that embeds an assistant. Kept as a hash.
create table access_keys (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  kind text not null default 'key' check (kind in ('key', 'embed')),
  name text not null,
  secret_hash bytea not null unique,
  -- How it begins, to be recognised by.
  hint text not null,
  scopes text[] not null default '{}',
  -- Dollars of a calendar month (UTC); null for as much as the person has.
  monthly_budget numeric(18, 9) check (monthly_budget >= 0),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  last_address text
);
create index access_keys_user on access_keys (user_id, kind, created_at desc);

-- Whoever reads a stream with a key that is gone is asked again at once, on every process.
create function tell_key_revoked() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_sign_out', new.user_id::text);
  return null;
end $$;
create trigger access_keys_revoked after update of revoked_at on access_keys
for each row when (new.revoked_at is not null) execute function tell_key_revoked();

-- What was spent with a key stays in the ledger when the key is gone.
alter table ledger_entries add column key_id uuid;

create table key_months (
  key_id uuid not null references access_keys on delete cascade,
  month date not null,
  amount numeric(24, 9) not null default 0,
  calls bigint not null default 0,
  primary key (key_id, month)
) with (fillfactor = 50);

create function keep_key_month() returns trigger language plpgsql as $$
begin
  insert into key_months as kept (key_id, month, amount, calls)
  select id, date_trunc('month', new.created_at at time zone 'UTC')::date, -new.amount, 1
  from access_keys where id = new.key_id
  on conflict (key_id, month) do update set amount = kept.amount + excluded.amount, calls = kept.calls + 1;
  return null;
end $$;
create trigger keep_key_month after insert on ledger_entries
for each row when (new.key_id is not null and new.kind = 'usage') execute function keep_key_month();

-- What calls under way have put aside of the budget of a key, under the id of what they put aside of the balance.
create table key_reservations (
  id uuid primary key,
  key_id uuid not null references access_keys on delete cascade,
  instance_id text not null references instances on delete cascade,
  run_id uuid not null,
  amount numeric(18, 9) not null check (amount > 0)
);
create index key_reservations_key on key_reservations (key_id);
create index key_reservations_run on key_reservations (run_id);
create index key_reservations_instance on key_reservations (instance_id);

-- Puts an amount aside while anything of the month's budget is left: `reserved`, `busy` or `empty`, as `reserve_balance` does.
create function reserve_for_key(reservation uuid, payer uuid, instance text, run uuid, wanted numeric)
returns text language plpgsql as $$
declare
  most numeric;
begin
  select monthly_budget into most from access_keys where id = payer for no key update;
  if not found then return 'empty'; end if;
  if most is null then return 'reserved'; end if;
  most := most - coalesce((select amount from key_months
    where key_id = payer and month = date_trunc('month', now() at time zone 'UTC')::date), 0);
  if most <= 0 then return 'empty'; end if;
  if wanted = 0 then return 'reserved'; end if;
  if most <= (select coalesce(sum(amount), 0) from key_reservations where key_id = payer) then return 'busy'; end if;
  insert into key_reservations (id, key_id, instance_id, run_id, amount)
  values (reservation, payer, instance, run, wanted);
  return 'reserved';
end $$;

-- Ends reservations, those of budgets with them; who stands still because of them is told.
create or replace function release_reservations(reservations uuid[]) returns void language plpgsql as $$
declare
  payer uuid;
begin
  delete from key_reservations where id = any (reservations);
  for payer in
    with gone as (delete from balance_reservations where id = any (reservations) returning user_id)
    select distinct user_id from gone
  loop
    if exists (select from runs where user_id = payer and state = 'paused' and paused_for = 'balance') then
      perform pg_notify('atrium_balance', payer::text);
    end if;
  end loop;
end $$;
