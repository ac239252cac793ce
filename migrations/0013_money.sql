-- What a user's ledger adds up to. Written by the trigger below and by nothing else.
create table user_balances (
  user_id uuid primary key references users on delete cascade,
  balance numeric(24, 9) not null default 0,
  entries bigint not null default 0
) with (fillfactor = 50);

-- Usage of a calendar month (UTC), by the same trigger.
create table user_months (
  user_id uuid not null references users on delete cascade,
  month date not null,
  amount numeric(24, 9) not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  calls bigint not null default 0,
  primary key (user_id, month)
) with (fillfactor = 50);

-- What calls under way have put aside. They end with the process that makes them.
create table balance_reservations (
  id uuid primary key,
  user_id uuid not null references user_balances on delete cascade,
  instance_id text not null references instances on delete cascade,
  -- No reference: its lock on the run would come after that on the balance.
  run_id uuid not null,
  amount numeric(18, 9) not null check (amount > 0),
  created_at timestamptz not null default clock_timestamp()
);
create index balance_reservations_user on balance_reservations (user_id);
create index balance_reservations_run on balance_reservations (run_id);
create index balance_reservations_instance on balance_reservations (instance_id);

insert into user_balances (user_id, balance, entries)
select user_id, sum(amount), count(*) from ledger_entries group by user_id;

insert into user_months (user_id, month, amount, input_tokens, output_tokens, calls)
select user_id, date_trunc('month', created_at at time zone 'UTC')::date, -sum(amount),
  coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), count(*)
from ledger_entries where kind = 'usage' group by 1, 2;

-- Adds an entry to what is kept of a user, or takes it away again (sign -1).
create function count_ledger_entry(entry ledger_entries, sign integer) returns void language plpgsql as $$
begin
  if sign < 0 then
    -- A user who is deleted takes the entries along.
    update user_balances set balance = balance - entry.amount, entries = entries - 1
    where user_id = entry.user_id;
  else
    insert into user_balances as kept (user_id, balance, entries) values (entry.user_id, entry.amount, 1)
    on conflict (user_id) do update
    set balance = kept.balance + excluded.balance, entries = kept.entries + 1;
  end if;
  if entry.kind = 'usage' then
    if sign < 0 then
      update user_months
      set amount = amount + entry.amount, calls = calls - 1,
        input_tokens = input_tokens - coalesce(entry.input_tokens, 0),
        output_tokens = output_tokens - coalesce(entry.output_tokens, 0)
      where user_id = entry.user_id and month = date_trunc('month', entry.created_at at time zone 'UTC')::date;
    else
      insert into user_months as kept (user_id, month, amount, input_tokens, output_tokens, calls)
      values (entry.user_id, date_trunc('month', entry.created_at at time zone 'UTC')::date, -entry.amount,
        coalesce(entry.input_tokens, 0), coalesce(entry.output_tokens, 0), 1)
      on conflict (user_id, month) do update
      set amount = kept.amount + excluded.amount, calls = kept.calls + 1,
        input_tokens = kept.input_tokens + excluded.input_tokens,
        output_tokens = kept.output_tokens + excluded.output_tokens;
    end if;
  end if;
end $$;

create function keep_balance() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform count_ledger_entry(old, -1); end if;
  if tg_op <> 'DELETE' then
    perform count_ledger_entry(new, 1);
    -- Runs that stand still for want of balance go on (server/runs/unpaid.ts).
    if new.amount > 0 then perform pg_notify('atrium_balance', new.user_id::text); end if;
  end if;
  return null;
end $$;

-- Triggers fire by name: after those of the references, so that the balance is locked after session and run.
create trigger keep_balance
after insert or delete or update of user_id, kind, amount, input_tokens, output_tokens, created_at
on ledger_entries for each row execute function keep_balance();

-- Puts an amount aside while anything is left: `reserved`, or `busy` when calls under way have taken what is
-- left, or `empty`. A function, because what it reads after the lock must be newer than the lock.
create function reserve_balance(reservation uuid, payer uuid, instance text, run uuid, wanted numeric)
returns text language plpgsql as $$
declare
  total numeric;
begin
  select balance into total from user_balances where user_id = payer for no key update;
  if total is null or total <= 0 then return 'empty'; end if;
  if total <= (select coalesce(sum(amount), 0) from balance_reservations where user_id = payer) then
    return 'busy';
  end if;
  insert into balance_reservations (id, user_id, instance_id, run_id, amount)
  values (reservation, payer, instance, run, wanted);
  return 'reserved';
end $$;

-- Ends reservations; who stands still because of them is told.
create function release_reservations(reservations uuid[]) returns void language plpgsql as $$
declare
  payer uuid;
begin
  for payer in
    with gone as (delete from balance_reservations where id = any (reservations) returning user_id)
    select distinct user_id from gone
  loop
    if exists (select from runs where user_id = payer and state = 'paused' and paused_for = 'balance') then
      perform pg_notify('atrium_balance', payer::text);
    end if;
  end loop;
end $$;

-- Pages of the ledger are found in the index alone.
drop index ledger_entries_user;
create index ledger_entries_user on ledger_entries (user_id, created_at desc, id);
