-- Schedules that start on an event: a signed call, a document of a project, or the end of another run. An event is a delivery,
-- which adds one slot.
-- The secrets that sign the calls of a schedule, sealed.
create table trigger_secrets (
  schedule_id uuid primary key references schedules on delete cascade,
  secret text not null,
  -- Signs as well until then.
  previous_secret text,
  previous_until timestamptz,
  created_at timestamptz not null default clock_timestamp()
);

create table trigger_deliveries (
  id uuid primary key default gen_random_uuid(),
  schedule_id uuid not null references schedules on delete cascade,
  kind text not null check (kind in ('call', 'test', 'replay', 'document', 'run')),
  -- Names the event. The same one starts one run.
  foreign_id text not null,
  -- HTTP status of the answer: 202, or why it was refused.
  status integer not null,
  -- Why it was refused.
  detail text,
  -- Headers and body of a call, without secrets.
  headers jsonb not null default '{}',
  body text,
  -- Texts for the fields of the schedule.
  field_values jsonb not null default '{}',
  -- Whether the present or the previous secret signed it.
  signed_by text check (signed_by in ('present', 'previous')),
  -- How often it came again.
  repeats integer not null default 0,
  replay_of uuid references trigger_deliveries on delete set null,
  document_id uuid references documents on delete cascade,
  run_id uuid references runs on delete cascade,
  -- The schedules whose runs led to this one. None of them starts again.
  chain uuid[] not null default '{}',
  slot_id uuid references slots on delete set null,
  received_at timestamptz not null default clock_timestamp()
);
create unique index trigger_deliveries_once on trigger_deliveries (schedule_id, kind, foreign_id) where status = 202;
create index trigger_deliveries_log on trigger_deliveries (schedule_id, received_at desc, id);
create index trigger_deliveries_old on trigger_deliveries (received_at, id);
create index trigger_deliveries_slot on trigger_deliveries (slot_id) where slot_id is not null;
create index trigger_deliveries_replay on trigger_deliveries (replay_of) where replay_of is not null;
create index trigger_deliveries_document on trigger_deliveries (document_id) where document_id is not null;
create index trigger_deliveries_run on trigger_deliveries (run_id) where run_id is not null;

create index schedules_on_document on schedules ((rule ->> 'workspace_id')) where rule ->> 'kind' in ('document', 'project_run');
create index schedules_on_run on schedules ((rule ->> 'schedule_id')) where rule ->> 'kind' = 'schedule_run';

-- Adds a delivery of an event with its slot, once per event. More than 60 in an hour are refused, and so are chains of more
-- than five schedules. At most 100 refusals of an hour are stored.
create function deliver_event(schedule uuid, what text, about text, document uuid, run uuid, led_by uuid[]) returns void
language plpgsql as $$
declare
  made uuid;
  slot uuid;
  is_full boolean;
begin
  if schedule = any (led_by) or cardinality(led_by) > 5 then return; end if;
  select count(*) >= 60 into is_full from trigger_deliveries
  where schedule_id = schedule and status = 202 and received_at > clock_timestamp() - interval '1 hour';
  if is_full then
    insert into trigger_deliveries (schedule_id, kind, foreign_id, status, detail, document_id, run_id)
    select schedule, what, about, 429, 'More than 60 deliveries in an hour.', document, run
    where (select count(*) from trigger_deliveries where schedule_id = schedule and status <> 202
      and received_at > clock_timestamp() - interval '1 hour') < 100;
    return;
  end if;
  insert into trigger_deliveries (schedule_id, kind, foreign_id, status, document_id, run_id, chain)
  values (schedule, what, about, 202, document, run, led_by) on conflict do nothing returning id into made;
  if made is null then return; end if;
  insert into slots (schedule_id, due_at, origin) values (schedule, schedule_now(), 'delivery ' || made) returning id into slot;
  update trigger_deliveries set slot_id = slot where id = made;
end $$;

-- A document of a project is new or changed once it can be read.
-- Reading a version again, for example for another embedding model, changes nothing.
create function deliver_document(document documents, project uuid, is_added boolean) returns void language plpgsql as $$
declare
  schedule uuid;
  version_since timestamptz := coalesce((select created_at from document_versions
    where document_id = document.id and version = document.version), document.created_at);
begin
  if document.status <> 'completed' or document.deleted_at is not null then return; end if;
  for schedule in
    select c.id from schedules c where c.rule ->> 'kind' = 'document' and c.rule ->> 'workspace_id' = project::text
      and c.state = 'on' and c.user_id in (select people_of_project(project)) and (is_added or version_since > c.created_at)
    order by c.id
  loop
    perform deliver_event(schedule, 'document', 'document ' || document.id || ' ' || document.version, document.id, null, '{}');
  end loop;
end $$;

create function deliver_changed_document() returns trigger language plpgsql as $$
begin
  perform deliver_document(new, w.workspace_id, false) from workspace_documents w where w.document_id = new.id;
  return null;
end $$;
create constraint trigger document_starts_schedules after update of status, version on documents
deferrable initially deferred for each row
when (new.status = 'completed' and (old.status, old.version) is distinct from (new.status, new.version))
execute function deliver_changed_document();

create function deliver_added_document() returns trigger language plpgsql as $$
begin
  perform deliver_document(d, new.workspace_id, true) from documents d where d.id = new.document_id;
  return null;
end $$;
create constraint trigger added_document_starts_schedules after insert on workspace_documents
deferrable initially deferred for each row execute function deliver_added_document();

-- The end of a run starts the schedules that follow its schedule, or its project while their owners may read its chat.
create function deliver_run() returns trigger language plpgsql as $$
declare
  chat sessions;
  ended slots;
  led_by uuid[] := '{}';
  schedule uuid;
begin
  select * into chat from sessions where id = new.session_id and origin = 'chat' and deleted_at is null;
  if chat.id is null then return null; end if;
  select * into ended from slots where message_id = new.user_message_id;
  if ended.id is not null then
    select coalesce(d.chain, '{}') || ended.schedule_id into led_by
    from slots s left join trigger_deliveries d on d.slot_id = s.id where s.id = ended.id;
  end if;
  for schedule in
    select c.id from schedules c where c.state = 'on' and (
      (c.rule ->> 'kind' = 'schedule_run' and c.rule ->> 'schedule_id' = ended.schedule_id::text and c.user_id = chat.user_id)
      or (c.rule ->> 'kind' = 'project_run' and c.rule ->> 'workspace_id' = chat.workspace_id::text
        and c.user_id in (select people_of_project(chat.workspace_id))
        and (c.user_id = chat.user_id or chat.shared_with_project)))
    order by c.id
  loop
    perform deliver_event(schedule, 'run', 'run ' || new.id, null, new.id, led_by);
  end loop;
  return null;
end $$;
-- After the trigger by which a slot follows its run.
create constraint trigger run_starts_schedules after update of state on runs
deferrable initially deferred for each row
when (new.parent_run_id is null and new.state in ('completed', 'failed') and old.state is distinct from new.state)
execute function deliver_run();
