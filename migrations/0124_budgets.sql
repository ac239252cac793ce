-- The most that may be spent: by the house, a company, a person, with an assistant or an API key, in a day or a month of UTC; an
-- assistant's also in one reply.
create table budgets (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('house', 'company', 'user', 'assistant', 'key')),
  company_id uuid references companies on delete cascade,
  user_id uuid references users on delete cascade,
  -- No reference: those of the product have no rows.
  assistant_id text,
  key_id uuid references access_keys on delete cascade,
  period text not null check (period in ('day', 'month', 'reply')),
  amount numeric(18, 9) not null check (amount >= 0),
  -- What was spent in the day or month that begins then; in a later one it counts as nothing.
  since date not null,
  spent numeric(24, 9) not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(company_id, user_id, assistant_id, key_id) = case kind when 'house' then 0 else 1 end),
  check (period <> 'reply' or kind = 'assistant')
);
create unique index budgets_what on budgets (kind, company_id, user_id, assistant_id, key_id, period) nulls not distinct;
create index budgets_company on budgets (company_id) where company_id is not null;
create index budgets_user on budgets (user_id) where user_id is not null;
create index budgets_assistant on budgets (assistant_id) where assistant_id is not null;
create index budgets_key on budgets (key_id) where key_id is not null;

-- What calls under way have put aside of budgets, under the id of what they put aside of the balance.
create table budget_reservations (
  id uuid not null,
  budget_id uuid not null references budgets on delete cascade,
  instance_id text not null references instances on delete cascade,
  run_id uuid not null,
  amount numeric(18, 9) not null check (amount > 0),
  primary key (id, budget_id)
);
create index budget_reservations_budget on budget_reservations (budget_id);
create index budget_reservations_run on budget_reservations (run_id);
create index budget_reservations_instance on budget_reservations (instance_id);

create function period_start(period text, moment timestamptz) returns date language sql immutable as $$
  select date_trunc(case period when 'month' then 'month' else 'day' end, moment at time zone 'UTC')::date
$$;

-- What an assistant took of one reply, in all parts of it.
create function spent_on_reply(run uuid, assistant text) returns numeric language sql stable as $$
  select coalesce(-sum(amount), 0) from ledger_entries
  where kind = 'usage' and assistant_id = assistant
    and run_id = any (array(select id from runs where id = run or parent_run_id = run))
$$;

-- What is left of a budget, before what is put aside of it.
create function left_of_budget(budget budgets, run uuid) returns numeric language sql stable as $$
  select budget.amount - case
    when budget.period = 'reply' then spent_on_reply(run, budget.assistant_id)
    when budget.since = period_start(budget.period, clock_timestamp()) then budget.spent
    else 0 end
$$;

create function put_aside_of_budget(budget budgets, run uuid) returns numeric language sql stable as $$
  select coalesce(sum(amount), 0) from budget_reservations
  where budget_id = budget.id and (budget.period <> 'reply' or run_id = run)
$$;

create function budgets_of(payer uuid, assistant text, key uuid) returns setof budgets language sql stable as $$
  select * from budgets where kind = 'house' or user_id = payer or assistant_id = assistant or key_id = key
    or company_id = first_company(payer)
$$;

create function keep_budgets() returns trigger language plpgsql as $$
declare
  found record;
  start date;
begin
  -- In one order, so that two people never wait for each other.
  for found in
    select id, period from budgets where period <> 'reply' and (kind = 'house' or user_id = new.user_id
      or company_id = new.company_id or assistant_id = new.assistant_id or key_id = new.key_id)
    order by id for no key update
  loop
    start := period_start(found.period, new.created_at);
    update budgets set spent = case when since = start then spent else 0 end - new.amount, since = start
    where id = found.id and since <= start;
  end loop;
  return null;
end $$;
-- By its name after that of the balance.
create trigger keep_budgets after insert on ledger_entries
for each row when (new.kind = 'usage' and new.amount <> 0) execute function keep_budgets();

-- Puts an amount aside of every budget there is, or of none: `reserved`, or `busy` when calls under way have taken what is left of
-- one, or `empty`. An amount of 0 only asks.
create function reserve_within_budgets(
  reservation uuid, payer uuid, assistant text, key uuid, instance text, run uuid, wanted numeric
) returns table (outcome text, budget_id uuid, kind text, period text) language plpgsql as $$
declare
  budget budgets;
  ids uuid[] := '{}';
  rest numeric;
  waiting budgets;
begin
  for budget in
    select b.* from budgets b where b.id in (select id from budgets_of(payer, assistant, key))
    order by b.id for no key update
  loop
    rest := left_of_budget(budget, run);
    if rest <= 0 then
      return query select 'empty', budget.id, budget.kind, budget.period;
      return;
    end if;
    if wanted > 0 and rest <= put_aside_of_budget(budget, run) then waiting := budget; end if;
    ids := ids || budget.id;
  end loop;
  if waiting.id is not null then
    return query select 'busy', waiting.id, waiting.kind, waiting.period;
    return;
  end if;
  if wanted > 0 then
    insert into budget_reservations (id, budget_id, instance_id, run_id, amount)
    select reservation, one, instance, run, wanted from unnest(ids) one;
  end if;
  return query select 'reserved', null::uuid, null::text, null::text;
end $$;

alter table runs add column paused_budget uuid;
alter table runs drop constraint runs_paused_for_check;
alter table runs add check (paused_for in ('request', 'balance', 'budget'));
create index runs_over_budget on runs (created_at) where state = 'paused' and paused_for = 'budget';

-- Whether a run that stood still for a budget may go on: it is raised, gone, or of a new day or month.
create function is_within_budget(budget uuid, run uuid) returns boolean language sql stable as $$
  select coalesce((select left_of_budget(b, run) > put_aside_of_budget(b, run) from budgets b where id = budget), true)
$$;

-- Runs that stand still look at their budgets again.
create function tell_budget_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_balance', 'everybody');
  return null;
end $$;
create trigger budget_raised after update of amount on budgets
for each row when (new.amount > old.amount) execute function tell_budget_changed();
create trigger budget_removed after delete on budgets
for each row execute function tell_budget_changed();

create or replace function release_reservations(reservations uuid[]) returns void language plpgsql as $$
declare
  payer uuid;
begin
  delete from key_reservations where id = any (reservations);
  delete from budget_reservations where id = any (reservations);
  if found and exists (select from runs where state = 'paused' and paused_for = 'budget') then
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

-- At four fifths those are told who can do something about it, once a day or month.
create function tell_budget_warning() returns trigger language plpgsql as $$
declare
  person uuid;
begin
  for person in
    select new.user_id where new.user_id is not null
    union select user_id from access_keys where id = new.key_id
    union select user_id from assistants where id::text = new.assistant_id
    union select user_id from company_members where company_id = new.company_id and role <> 'member'
    union select user_id from company_members where new.kind = 'house' and role = 'super_admin'
    order by 1 limit 100
  loop
    perform tell_user(person, 'budget_warning', json_build_object('kind', new.kind, 'period', new.period,
      'name', coalesce((select name from companies where id = new.company_id),
        (select name from access_keys where id = new.key_id),
        (select name from assistants where id::text = new.assistant_id)),
      'amount', new.amount::float8, 'spent', new.spent::float8));
  end loop;
  return null;
end $$;
create constraint trigger budget_warned after update of spent on budgets
deferrable initially deferred for each row
when (new.amount > 0 and new.spent >= 0.8 * new.amount and (old.since <> new.since or old.spent < 0.8 * old.amount))
execute function tell_budget_warning();

-- What a key spent in a day is found without reading the ledger whole.
create index ledger_entries_key on ledger_entries (key_id, created_at) where key_id is not null;
