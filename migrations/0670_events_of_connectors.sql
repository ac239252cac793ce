-- Schedules that start on a new or changed document of a connector, whether or not a project contains it.
create index if not exists schedules_on_connector on schedules ((rule ->> 'connector_id')) where rule ->> 'kind' = 'connector_document';

-- Documents that are older than the rule start nothing when they are read again.
alter table schedules add column if not exists rule_since timestamptz;
update schedules set rule_since = created_at where rule_since is null;
alter table schedules alter column rule_since set default clock_timestamp(), alter column rule_since set not null;

create or replace function note_rule_since() returns trigger language plpgsql as $$
begin
  new.rule_since := clock_timestamp();
  return new;
end $$;
create or replace trigger schedule_rule_since before update of rule on schedules
for each row when (old.rule is distinct from new.rule) execute function note_rule_since();

create or replace function version_since(document documents) returns timestamptz language sql stable as $$
  select coalesce((select created_at from document_versions
    where document_id = document.id and version = document.version), document.created_at)
$$;

create or replace function deliver_document(document documents, project uuid, is_added boolean) returns void language plpgsql as $$
declare
  schedule uuid;
begin
  if document.status <> 'completed' or document.deleted_at is not null then return; end if;
  for schedule in
    select c.id from schedules c where c.rule ->> 'kind' = 'document' and c.rule ->> 'workspace_id' = project::text
      and c.state = 'on' and c.user_id in (select people_of_project(project)) and (is_added or version_since(document) > c.rule_since)
      and (document.connector_id is null or reads_item(c.user_id, document.connector_id, document.connector_item_id))
    order by c.id
  loop
    perform deliver_event(schedule, 'document', 'document ' || document.id || ' ' || document.version, document.id, null, '{}');
  end loop;
end $$;

create or replace function deliver_document_of_connector(document documents) returns void language plpgsql as $$
declare
  schedule uuid;
begin
  if document.status <> 'completed' or document.deleted_at is not null then return; end if;
  for schedule in
    select c.id from schedules c where c.rule ->> 'kind' = 'connector_document' and c.rule ->> 'connector_id' = document.connector_id::text
      and c.state = 'on' and version_since(document) > c.rule_since
      and reads_item(c.user_id, document.connector_id, document.connector_item_id)
    order by c.id
  loop
    perform deliver_event(schedule, 'document', 'document ' || document.id || ' ' || document.version, document.id, null, '{}');
  end loop;
end $$;

create or replace function deliver_changed_document() returns trigger language plpgsql as $$
begin
  perform deliver_document(new, w.workspace_id, false) from workspace_documents w where w.document_id = new.id;
  if new.connector_id is not null then perform deliver_document_of_connector(new); end if;
  return null;
end $$;

-- A document whose content is known is complete when it is added.
create or replace function deliver_document_known_before() returns trigger language plpgsql as $$
begin
  perform deliver_document_of_connector(d) from documents d where d.id = new.id and d.connector_id is not null;
  return null;
end $$;
drop trigger if exists known_document_starts_schedules on documents;
create constraint trigger known_document_starts_schedules after insert on documents
deferrable initially deferred for each row when (new.connector_id is not null and new.status = 'completed')
execute function deliver_document_known_before();
