-- The library reads its list from indexes alone: those of a person, and those of each company, by date, name and size, with what
-- lists are filtered by.
drop index documents_user;
drop index documents_user_name;
drop index documents_user_size;
drop index documents_company;

create index documents_user_date on documents (user_id, created_at desc, id)
  include (parent_id, status, is_starred, format, extension, language, size);
create index documents_user_name on documents (user_id, lower(name), created_at desc, id) include (name, parent_id);
create index documents_user_size on documents (user_id, size, created_at desc, id) include (parent_id);
create index documents_company_date on documents (company_id, created_at desc, id)
  include (user_id, parent_id, status, is_starred, format, extension, language, size) where company_id is not null;
create index documents_company_name on documents (company_id, lower(name), created_at desc, id)
  include (name, user_id, parent_id) where company_id is not null;
create index documents_company_size on documents (company_id, size, created_at desc, id)
  include (user_id, parent_id) where company_id is not null;
create index documents_tags on documents using gin (tags) where tags <> '{}';
