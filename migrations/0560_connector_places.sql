-- A document and a place that are added at the same time would miss each other. Documents of a connector share a lock that a new place takes
-- alone. A lock of the connector itself would make concurrent reads of its items, and documents inside of others, wait for each other in a circle.
create or replace function place_document_of_connector() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.connector_id is not null then
    delete from workspace_documents where document_id = new.id and connector_id = old.connector_id;
  end if;
  if new.connector_id is not null then
    perform pg_advisory_xact_lock_shared(56, hashtext(new.connector_id::text));
    insert into workspace_documents (workspace_id, document_id, connector_id)
    select workspace_id, new.id, connector_id from workspace_connectors where connector_id = new.connector_id
    order by workspace_id on conflict do nothing;
  end if;
  return null;
end $$;

create or replace function place_connector() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(56, hashtext(new.connector_id::text));
  insert into workspace_documents (workspace_id, document_id, connector_id)
  select new.workspace_id, id, connector_id from documents where connector_id = new.connector_id
  order by id on conflict do nothing;
  return null;
end $$;
