-- Addresses of other programs that are told what happened: to one person, or to everybody of a company.
create table webhooks (
  id uuid primary key default gen_random_uuid(),
  -- Whose it is: one person's, or a company's.
  user_id uuid references users on delete cascade,
  company_id uuid references companies on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  -- Sealed; the one before is good until `previous_until`, so that a receiver has time to change.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  is_on boolean not null default true,
  -- Since when nothing arrived any more, and that it was therefore turned off.
  failing_since timestamptz,
  gave_up_at timestamptz,
  created_at timestamptz not null default now(),
  check ((user_id is null) <> (company_id is null))
);
create index webhooks_user on webhooks (user_id) where user_id is not null;
create index webhooks_company on webhooks (company_id) where company_id is not null;

-- What happened, for one address. Kept for thirty days.
create table webhook_deliveries (
  id uuid primary key default gen_random_uuid(),
  webhook_id uuid not null references webhooks on delete cascade,
  type text not null,
  data json not null,
  state text not null default 'waiting' check (state in ('waiting', 'arrived', 'failed')),
  -- How often the pause before the next attempt has grown.
  tries integer not null default 0,
  next_at timestamptz default now(),
  created_at timestamptz not null default now()
);
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created_at desc, id);
create index webhook_deliveries_due on webhook_deliveries (next_at) where state = 'waiting';
create index webhook_deliveries_created on webhook_deliveries (created_at);

create table webhook_attempts (
  id bigint generated always as identity primary key,
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  at timestamptz not null,
  ms integer not null,
  -- Without an answer there is a sentence.
  status integer,
  error text
);
create index webhook_attempts_delivery on webhook_attempts (delivery_id, id desc);

-- Says what happened, never what was said: whoever may read that asks for it by its id.
create function tell_webhooks(person uuid, what text, facts json) returns void language plpgsql as $$
declare
  delivery uuid;
begin
  for delivery in
    insert into webhook_deliveries (webhook_id, type, data)
    select id, what, facts from webhooks
    where is_on and what = any (events) and (
      user_id = person
      or company_id in (select company_id from company_members where user_id = person))
    order by id limit 500
    returning id
  loop
    perform pg_notify('atrium_webhooks', delivery::text);
  end loop;
end $$;

create function tell_webhooks_of_run() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.user_id,
    case new.state when 'completed' then 'run.finished' when 'failed' then 'run.failed' else 'run.waits' end,
    json_build_object('run_id', new.id, 'session_id', new.session_id, 'message_id', new.message_id,
      'user_id', new.user_id, 'kind', new.kind, 'agent_type', new.agent_type));
  return null;
end $$;
create trigger webhooks_of_run after update of state on runs for each row
when (old.state is distinct from new.state and new.parent_run_id is null and (
  new.state in ('completed', 'failed', 'waiting') or (new.state = 'paused' and new.paused_for = 'balance')))
execute function tell_webhooks_of_run();

create function tell_webhooks_of_document() returns trigger language plpgsql as $$
begin
  perform tell_webhooks(new.user_id, 'document.ready',
    json_build_object('document_id', new.id, 'version', new.version, 'user_id', new.user_id));
  return null;
end $$;
create trigger webhooks_of_document after update of status, version on documents for each row
when (new.status = 'completed' and (old.status, old.version) is distinct from (new.status, new.version))
execute function tell_webhooks_of_document();
-- What was read before is ready at once.
create trigger webhooks_of_new_document after insert on documents for each row
when (new.status = 'completed') execute function tell_webhooks_of_document();
