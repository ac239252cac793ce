-- What is left of the month's budget its person gave an API key, before what is put aside of it; null without one.
create function left_of_key(key uuid) returns numeric language sql stable as $$
  select monthly_budget - coalesce((select amount from key_months
    where key_id = id and month = date_trunc('month', now() at time zone 'UTC')::date), 0)
  from access_keys where id = key
$$;

create or replace function reserve_for_key(reservation uuid, payer uuid, instance text, run uuid, wanted numeric)
returns text language plpgsql as $$
declare
  most numeric;
begin
  perform from access_keys where id = payer for no key update;
  if not found then return 'empty'; end if;
  most := left_of_key(payer);
  if most is null then return 'reserved'; end if;
  if most <= 0 then return 'empty'; end if;
  if wanted = 0 then return 'reserved'; end if;
  if most <= (select coalesce(sum(amount), 0) from key_reservations where key_id = payer) then return 'busy'; end if;
  insert into key_reservations (id, key_id, instance_id, run_id, amount)
  values (reservation, payer, instance, run, wanted);
  return 'reserved';
end $$;

-- A run stands still for a budget of an administrator, or for that of its key: then under the id of the key.
create or replace function is_within_budget(budget uuid, run uuid) returns boolean language sql stable as $$
  select coalesce(
    (select left_of_budget(b, run) > put_aside_of_budget(b, run) from budgets b where id = budget),
    left_of_key(budget) > (select coalesce(sum(amount), 0) from key_reservations where key_id = budget),
    true)
$$;

create trigger key_budget_raised after update of monthly_budget on access_keys
for each row when (new.monthly_budget is null or new.monthly_budget > old.monthly_budget)
execute function tell_budget_changed();

create or replace function release_reservations(reservations uuid[]) returns void language plpgsql as $$
declare
  payer uuid;
  is_freed boolean;
begin
  with keys as (delete from key_reservations where id = any (reservations) returning id),
    kept as (delete from budget_reservations where id = any (reservations) returning id)
  select exists (select from keys) or exists (select from kept) into is_freed;
  if is_freed and exists (select from runs where state = 'paused' and paused_for = 'budget') then
    perform pg_notify('atrium_balance', 'everybody');
  end if;
  for payer in
    with gone as (delete from balance_reservations where id = any (reservations) returning user_id)
    select distinct user_id from gone
  loop
    if exists (select from runs where user_id = payer and state = 'paused' and paused_for = 'balance') then
      perform pg_notify('atrium_balance', payer::text);
    end if;
  end loop;
end $$;
