-- A document that leaves its connector, because that is gone or has another owner, belongs to its owner alone: a place in a project that the
-- owner had added by hand gives no one else the right to read it.
create or replace function place_document_of_connector() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.connector_id is not null then
    delete from workspace_documents where document_id = new.id and connector_id = old.connector_id;
  end if;
  if new.connector_id is null then
    update workspace_documents set added_by = null where document_id = new.id and added_by is not null;
  else
    perform pg_advisory_xact_lock_shared(56, hashtext(new.connector_id::text));
    insert into workspace_documents (workspace_id, document_id, connector_id)
    select workspace_id, new.id, connector_id from workspace_connectors where connector_id = new.connector_id
    order by workspace_id on conflict do nothing;
  end if;
  return null;
end $$;
