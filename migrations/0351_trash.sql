-- How many days deleted chats and documents stay in the trash; 0 deletes them at once.
create table trash_rule (
  only_row boolean primary key default true check (only_row),
  days integer not null check (days between 0 and 3650)
);
insert into trash_rule (days) values (30);

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
