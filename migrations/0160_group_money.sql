-- In which groups of that company the person was then; sorted, so that equal sets are equal.
create function groups_of(person uuid, company uuid) returns uuid[] language sql stable as $$
  select array(select group_id from group_members where user_id = person and company_id = company order by group_id)
$$;

alter table ledger_entries add column group_ids uuid[] not null default '{}';
alter table usage_days add column group_ids uuid[] not null default '{}';

create or replace function place_ledger_entry() returns trigger language plpgsql as $$
begin
  new.company_id := coalesce(new.company_id, first_company(new.user_id));
  new.group_ids := groups_of(new.user_id, new.company_id);
  return new;
end $$;

-- What was used before belongs to the groups of today: which those of then were was not written down.
update ledger_entries entry set group_ids = groups_of(user_id, company_id)
where kind = 'usage' and exists (select from group_members m where m.user_id = entry.user_id and m.company_id = entry.company_id);
update usage_days used set group_ids = groups_of(user_id, company_id)
where exists (select from group_members m where m.user_id = used.user_id and m.company_id = used.company_id);

drop index usage_days_what;
create unique index usage_days_what on usage_days
  (day, user_id, company_id, group_ids, model_name, assistant_id, tool_id) nulls not distinct;

create or replace function count_usage_day(entry ledger_entries, sign integer) returns void language sql as $$
  insert into usage_days as kept (day, user_id, company_id, group_ids, model_name, assistant_id, tool_id, amount,
    input_tokens, output_tokens, calls)
  -- A person who is deleted takes both along.
  select (entry.created_at at time zone 'UTC')::date, id, entry.company_id, entry.group_ids, entry.model_name,
    entry.assistant_id, entry.tool_id, -entry.amount * sign, coalesce(entry.input_tokens, 0) * sign,
    coalesce(entry.output_tokens, 0) * sign, sign
  from users where id = entry.user_id
  on conflict (day, user_id, company_id, group_ids, model_name, assistant_id, tool_id) do update
  set amount = kept.amount + excluded.amount, calls = kept.calls + excluded.calls,
    input_tokens = kept.input_tokens + excluded.input_tokens,
    output_tokens = kept.output_tokens + excluded.output_tokens
$$;

drop trigger keep_usage_day on ledger_entries;
create trigger keep_usage_day
after insert or delete or update of user_id, kind, amount, input_tokens, output_tokens, created_at, company_id,
  group_ids, model_name, assistant_id, tool_id
on ledger_entries for each row execute function keep_usage_day();

alter table budgets add column group_id uuid references groups on delete cascade;
alter table budgets drop constraint budgets_kind_check;
alter table budgets add constraint budgets_kind_check
  check (kind in ('house', 'company', 'group', 'user', 'assistant', 'key'));
alter table budgets drop constraint budgets_check;
alter table budgets add constraint budgets_check check (
  num_nonnulls(company_id, group_id, user_id, assistant_id, key_id) = case kind when 'house' then 0 else 1 end);
drop index budgets_what;
create unique index budgets_what on budgets
  (kind, company_id, group_id, user_id, assistant_id, key_id, period) nulls not distinct;
create index budgets_group on budgets (group_id) where group_id is not null;

create or replace function budgets_of(payer uuid, assistant text, key uuid)
returns setof budgets language sql stable as $$
  select * from budgets where kind = 'house' or user_id = payer or assistant_id = assistant or key_id = key
    or company_id = first_company(payer) or group_id = any (groups_of(payer, first_company(payer)))
$$;

create or replace function keep_budgets() returns trigger language plpgsql as $$
declare
  found record;
  start date;
begin
  -- In one order, so that two people never wait for each other.
  for found in
    select id, period from budgets where period <> 'reply' and (kind = 'house' or user_id = new.user_id
      or company_id = new.company_id or group_id = any (new.group_ids) or assistant_id = new.assistant_id
      or key_id = new.key_id)
    order by id for no key update
  loop
    start := period_start(found.period, new.created_at);
    update budgets set spent = case when since = start then spent else 0 end - new.amount, since = start
    where id = found.id and since <= start;
  end loop;
  return null;
end $$;

-- At four fifths those are told who can do something about it, once a day or month.
create or replace function tell_budget_warning() returns trigger language plpgsql as $$
declare
  person uuid;
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
    perform tell_user(person, 'budget_warning', json_build_object('kind', new.kind, 'period', new.period,
      'name', coalesce((select name from companies where id = new.company_id),
        (select name from groups where id = new.group_id),
        (select name from access_keys where id = new.key_id),
        (select name from assistants where id::text = new.assistant_id)),
      'amount', new.amount::float8, 'spent', new.spent::float8));
  end loop;
  return null;
end $$;
