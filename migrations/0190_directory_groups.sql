-- The groups of a directory are groups like all others, under the same id: budgets, grants and announcements may name them. The directory
-- alone changes them. One may be called like a group of the company's own.
alter table groups add column from_directory boolean not null default false;
drop index groups_name;
create unique index groups_name on groups (company_id, lower(name)) where not from_directory;
-- The one of names knows only a part of them: a company that goes looks for all.
create index groups_company on groups (company_id);

create function follow_scim_group() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into groups (id, company_id, name, from_directory, created_at)
    values (new.id, new.company_id, new.display_name, true, new.created_at);
  elsif tg_op = 'UPDATE' then
    update groups set name = new.display_name where id = new.id;
  else
    delete from groups where id = old.id;
  end if;
  return null;
end $$;
create trigger follow_scim_group after insert or update of display_name or delete on scim_groups
for each row execute function follow_scim_group();

-- Who is in a group of the directory and in the company.
create function join_directory_groups(person uuid, company uuid) returns void language sql as $$
  insert into group_members (group_id, company_id, user_id)
  select g.id, g.company_id, m.user_id from scim_group_members s
  join scim_groups g on g.id = s.group_id and g.company_id = company
  join company_members m on m.company_id = g.company_id and m.user_id = s.user_id
  where s.user_id = person on conflict do nothing
$$;

create function follow_scim_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from group_members where group_id = old.group_id and user_id = old.user_id;
  else
    perform join_directory_groups(new.user_id, (select company_id from scim_groups where id = new.group_id));
  end if;
  return null;
end $$;
create trigger follow_scim_member after insert or delete on scim_group_members
for each row execute function follow_scim_member();

-- The directory may name somebody in a group before they belong to the company, or while they do not.
create function follow_company_member() returns trigger language plpgsql as $$
begin
  perform join_directory_groups(new.user_id, new.company_id);
  return null;
end $$;
create trigger follow_company_member after insert on company_members
for each row execute function follow_company_member();

insert into groups (id, company_id, name, from_directory, created_at)
select id, company_id, display_name, true, created_at from scim_groups;
insert into group_members (group_id, company_id, user_id)
select g.id, g.company_id, m.user_id from scim_group_members s join scim_groups g on g.id = s.group_id
join company_members m on m.company_id = g.company_id and m.user_id = s.user_id;
