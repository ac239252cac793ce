-- Workspaces, projects among them, contain the documents of whole connectors. Each such document has a place in the workspace, which
-- gives no one the right to read it.
create table workspace_connectors (
  workspace_id uuid not null references workspaces on delete cascade,
  connector_id uuid not null references connectors on delete cascade,
  added_by uuid references users on delete set null,
  added_at timestamptz not null default now(),
  primary key (workspace_id, connector_id)
);
create index workspace_connectors_connector on workspace_connectors (connector_id);
create index workspace_connectors_added_by on workspace_connectors (added_by) where added_by is not null;

-- The connector with which a document came into a workspace.
alter table workspace_documents add column connector_id uuid references connectors on delete cascade;
create index workspace_documents_connector on workspace_documents (connector_id, workspace_id) where connector_id is not null;

-- Both functions lock the connector first: otherwise a document and a place that are added at the same time would miss each other.
create function place_document_of_connector() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.connector_id is not null then
    delete from workspace_documents where document_id = new.id and connector_id = old.connector_id;
  end if;
  if new.connector_id is not null then
    perform from connectors where id = new.connector_id for no key update;
    insert into workspace_documents (workspace_id, document_id, connector_id)
    select workspace_id, new.id, connector_id from workspace_connectors where connector_id = new.connector_id
    order by workspace_id on conflict do nothing;
  end if;
  return null;
end $$;
create trigger documents_of_connectors_placed after insert on documents
for each row when (new.connector_id is not null) execute function place_document_of_connector();
create trigger documents_of_connectors_replaced after update of connector_id on documents
for each row when (old.connector_id is distinct from new.connector_id) execute function place_document_of_connector();

create function place_connector() returns trigger language plpgsql as $$
begin
  perform from connectors where id = new.connector_id for no key update;
  insert into workspace_documents (workspace_id, document_id, connector_id)
  select new.workspace_id, id, connector_id from documents where connector_id = new.connector_id
  order by id on conflict do nothing;
  return null;
end $$;
create trigger connector_placed after insert on workspace_connectors
for each row execute function place_connector();

create function remove_connector_from_workspace() returns trigger language plpgsql as $$
begin
  delete from workspace_documents where workspace_id = old.workspace_id and connector_id = old.connector_id;
  return null;
end $$;
create trigger connector_taken_out after delete on workspace_connectors
for each row execute function remove_connector_from_workspace();
