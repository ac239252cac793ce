-- A run belongs to the project that its chat was in when it began, also when the chat is moved later.
alter table runs add column workspace_id uuid;
create function place_run() returns trigger language plpgsql as $$
begin
  new.workspace_id := case when new.parent_run_id is null
    then (select workspace_id from sessions where id = new.session_id)
    else (select workspace_id from runs where id = new.parent_run_id) end;
  return new;
end $$;
create trigger place_run before insert on runs for each row execute function place_run();

-- Usage is booked on the project of its run. Calls without a run are booked on the project of their chat.
alter table ledger_entries add column workspace_id uuid;
create index ledger_entries_workspace on ledger_entries (workspace_id, created_at) where workspace_id is not null;

create or replace function place_ledger_entry() returns trigger language plpgsql as $$
begin
  new.company_id := coalesce(new.company_id, first_company(new.user_id));
  new.group_ids := groups_of(new.user_id, new.company_id);
  new.workspace_id := coalesce(new.workspace_id, case when new.run_id is null
    then (select workspace_id from sessions where id = new.session_id)
    else (select workspace_id from runs where id = new.run_id) end);
  return new;
end $$;

alter table budgets add column workspace_id uuid references workspaces on delete cascade;
alter table budgets drop constraint budgets_kind_check;
alter table budgets add constraint budgets_kind_check
  check (kind in ('house', 'company', 'group', 'user', 'assistant', 'key', 'project'));
alter table budgets drop constraint budgets_check;
alter table budgets add constraint budgets_check check (
  num_nonnulls(company_id, group_id, user_id, assistant_id, key_id, workspace_id) = case kind when 'house' then 0 else 1 end);
drop index budgets_what;
create unique index budgets_what on budgets
  (kind, company_id, group_id, user_id, assistant_id, key_id, workspace_id, period) nulls not distinct;
create index budgets_workspace on budgets (workspace_id) where workspace_id is not null;

drop function budgets_of(uuid, text, uuid);
create function budgets_of(payer uuid, assistant text, key uuid, project uuid)
returns setof budgets language sql stable as $$
  select * from budgets where kind = 'house' or user_id = payer or assistant_id = assistant or key_id = key
    or company_id = first_company(payer) or group_id = any (groups_of(payer, first_company(payer)))
    or workspace_id = project
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
      or key_id = new.key_id or workspace_id = new.workspace_id)
    order by id for no key update
  loop
    start := period_start(found.period, new.created_at);
    update budgets set spent = case when since = start then spent else 0 end - new.amount, since = start
    where id = found.id and since <= start;
  end loop;
  return null;
end $$;

create or replace function reserve_within_budgets(
  reservation uuid, payer uuid, assistant text, key uuid, instance text, run uuid, wanted numeric
) returns table (outcome text, budget_id uuid, kind text, period text) language plpgsql as $$
declare
  budget budgets;
  ids uuid[] := '{}';
  rest numeric;
  waiting budgets;
  project uuid := (select workspace_id from runs where id = run);
begin
  for budget in
    select b.* from budgets b where b.id in (select id from budgets_of(payer, assistant, key, project))
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

-- Returns the people who manage a project: its owner, and managers by their own membership or that of a group.
create function managers_of_project(project uuid) returns setof uuid language sql stable as $$
  select user_id from workspaces where id = project and user_id is not null
  union select person_id from workspace_members where workspace_id = project and role = 'manager' and person_id is not null
  union select g.user_id from workspace_members m join group_members g on g.group_id = m.group_id
    where m.workspace_id = project and m.role = 'manager'
$$;

-- Returns the people who are warned about a budget.
create function people_of_budget(budget budgets) returns setof uuid language sql stable as $$
  select budget.user_id where budget.user_id is not null
  union select user_id from access_keys where id = budget.key_id
  union select user_id from assistants where id::text = budget.assistant_id
  union select user_id from company_members
    where company_id in (select budget.company_id union select g.company_id from groups g where g.id = budget.group_id)
      and role <> 'member'
  union select user_id from company_members where budget.kind = 'house' and role = 'super_admin'
  union select managers_of_project(budget.workspace_id)
  order by 1 limit 100
$$;

create function name_of_budget(budget budgets) returns text language sql stable as $$
  select coalesce((select name from companies where id = budget.company_id),
    (select name from groups where id = budget.group_id),
    (select name from access_keys where id = budget.key_id),
    (select name from assistants where id::text = budget.assistant_id),
    (select name from workspaces where id = budget.workspace_id))
$$;

create or replace function tell_budget_warning() returns trigger language plpgsql as $$
declare
  person uuid;
begin
  for person in select people_of_budget(new) loop
    perform tell_user(person, 'budget_warning', json_build_object('kind', new.kind, 'period', new.period,
      'name', name_of_budget(new), 'amount', new.amount::float8, 'spent', new.spent::float8));
  end loop;
  return null;
end $$;

create or replace function notify_of_budget() returns trigger language plpgsql as $$
declare
  person uuid;
  level int := case when new.spent >= new.amount then 100 else 80 end;
begin
  for person in select people_of_budget(new) loop
    perform notify_person(person, case level when 80 then 'budget_warning' else 'budget_spent' end,
      'budget ' || new.id || ' ' || new.since || ' ' || level || ' ' || new.amount,
      jsonb_build_object('budget_id', new.id, 'budget', jsonb_build_object('kind', new.kind, 'period', new.period,
        'name', name_of_budget(new), 'assistant_id', new.assistant_id, 'workspace_id', new.workspace_id,
        'amount', new.amount::float8, 'spent', new.spent::float8)));
  end loop;
  return null;
end $$;
