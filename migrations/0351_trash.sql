-- How many days deleted chats and documents stay in the trash; 0 deletes them at once.
create table trash_rule (
  only_row boolean primary key default true check (only_row),
  days integer not null check (days between 0 and 3650)
);

-- Set while a document is in the trash. Documents inside it carry the same time.
alter table documents add column deleted_at timestamptz;
create index documents_trash on documents (user_id, deleted_at desc, id) where deleted_at is not null;
create index documents_deleted on documents (deleted_at) where deleted_at is not null;
create index sessions_trash on sessions (user_id, deleted_at desc, id) where deleted_at is not null;

-- Lists leave out the trash, and their indexes still answer the counts.
drop index documents_user_date;
drop index documents_user_name;
drop index documents_user_size;
drop index documents_company_date;
drop index documents_company_name;
drop index documents_company_size;
create index documents_user_date on documents (user_id, created_at desc, id)
  include (deleted_at, parent_id, status, is_starred, format, extension, language, size);
create index documents_user_name on documents (user_id, lower(name), created_at desc, id) include (deleted_at, name, parent_id);
create index documents_user_size on documents (user_id, size, created_at desc, id) include (deleted_at, parent_id);
create index documents_company_date on documents (company_id, created_at desc, id)
  include (deleted_at, user_id, parent_id, status, is_starred, format, extension, language, size) where company_id is not null;
create index documents_company_name on documents (company_id, lower(name), created_at desc, id)
  include (deleted_at, name, user_id, parent_id) where company_id is not null;
create index documents_company_size on documents (company_id, size, created_at desc, id)
  include (deleted_at, user_id, parent_id) where company_id is not null;

-- For the tabs of a person, a document in the trash is gone, and a restored one is new.
create or replace function tell_of_document() returns trigger language plpgsql as $$
declare kind text;
begin
  kind = case
    when tg_op = 'INSERT' then 'document_created'
    when tg_op = 'DELETE' or (old.deleted_at is null and new.deleted_at is not null) then 'document_deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'document_created'
    else 'document_changed' end;
  if kind = 'document_deleted' then
    if tg_op = 'DELETE' and old.deleted_at is not null then return null; end if;
    perform tell_user(old.user_id, kind, json_build_object('document_id', old.id));
  elsif new.deleted_at is null then
    perform tell_user(new.user_id, kind,
      json_build_object('document_id', new.id, 'name', new.name, 'status', new.status));
  end if;
  return null;
end $$;
drop trigger document_change_told on documents;
create constraint trigger document_change_told
after update of name, status, is_starred, version, tags, deleted_at on documents
deferrable initially deferred for each row
when ((old.name, old.status, old.is_starred, old.version, old.tags, old.deleted_at)
  is distinct from (new.name, new.status, new.is_starred, new.version, new.tags, new.deleted_at))
execute function tell_of_document();

create or replace function tell_webhooks_of_document() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null then return null; end if;
  perform tell_webhooks(new.user_id, 'document.ready',
    json_build_object('document_id', new.id, 'version', new.version, 'user_id', new.user_id));
  return null;
end $$;
