-- Whose money it was when it was used: the first company the person belonged to. And who worked, with which tool.
alter table ledger_entries add column company_id uuid, add column assistant_id text, add column tool_id text;

create function first_company(person uuid) returns uuid language sql stable as $$
  select m.company_id from company_members m join companies c on c.id = m.company_id
  where m.user_id = person order by c.created_at, c.id limit 1
$$;

create function place_ledger_entry() returns trigger language plpgsql as $$
begin
  new.company_id := coalesce(new.company_id, first_company(new.user_id));
  return new;
end $$;
create trigger place_ledger_entry before insert on ledger_entries
for each row when (new.kind = 'usage') execute function place_ledger_entry();

-- What was used on each day (UTC), so that a house reads a year of it at once. Written by the trigger below and by nothing else.
create table usage_days (
  day date not null,
  user_id uuid not null references users on delete cascade,
  company_id uuid,
  model_name text,
  assistant_id text,
  tool_id text,
  amount numeric(24, 9) not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  calls bigint not null default 0
) with (fillfactor = 70);

update ledger_entries entry set company_id = first_company(entry.user_id) where kind = 'usage';
update ledger_entries entry set assistant_id = message.metadata->'assistant'->>'id'
from runs run join messages message on message.id = run.message_id
where entry.kind = 'usage' and run.id = entry.run_id and message.metadata->'assistant'->>'id' is not null;

insert into usage_days
select (created_at at time zone 'UTC')::date, user_id, company_id, model_name, assistant_id, tool_id,
  -sum(amount), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0), count(*)
from ledger_entries where kind = 'usage' group by 1, 2, 3, 4, 5, 6;
create unique index usage_days_what on usage_days (day, user_id, company_id, model_name, assistant_id, tool_id) nulls not distinct;
create index usage_days_user on usage_days (user_id, day);
create index usage_days_company on usage_days (company_id, day);

create function count_usage_day(entry ledger_entries, sign integer) returns void language sql as $$
  insert into usage_days as kept
    (day, user_id, company_id, model_name, assistant_id, tool_id, amount, input_tokens, output_tokens, calls)
  -- A person who is deleted takes both along.
  select (entry.created_at at time zone 'UTC')::date, id, entry.company_id, entry.model_name, entry.assistant_id,
    entry.tool_id, -entry.amount * sign, coalesce(entry.input_tokens, 0) * sign,
    coalesce(entry.output_tokens, 0) * sign, sign
  from users where id = entry.user_id
  on conflict (day, user_id, company_id, model_name, assistant_id, tool_id) do update
  set amount = kept.amount + excluded.amount, calls = kept.calls + excluded.calls,
    input_tokens = kept.input_tokens + excluded.input_tokens,
    output_tokens = kept.output_tokens + excluded.output_tokens
$$;

create function keep_usage_day() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.kind = 'usage' then perform count_usage_day(old, -1); end if;
  if tg_op <> 'DELETE' and new.kind = 'usage' then perform count_usage_day(new, 1); end if;
  return null;
end $$;
-- By its name after that of the balance: the lock on the balance keeps a person's entries in line.
create trigger keep_usage_day
after insert or delete or update of user_id, kind, amount, input_tokens, output_tokens, created_at, company_id,
  model_name, assistant_id, tool_id
on ledger_entries for each row execute function keep_usage_day();
