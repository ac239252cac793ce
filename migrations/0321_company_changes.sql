-- Limits that super admins set; null for none. `storage_mb` is per person.
alter table companies
  add column max_people integer check (max_people > 0),
  add column storage_mb integer check (storage_mb > 0);

-- Refuses a member beyond the limit. The lock makes concurrent joins wait for each other.
create function keep_company_room() returns trigger language plpgsql as $$
declare
  room integer;
begin
  select max_people into room from companies where id = new.company_id;
  if room is null then return new; end if;
  perform from companies where id = new.company_id for no key update;
  if exists (select from company_members where company_id = new.company_id and user_id = new.user_id) then
    return new;
  end if;
  if (select count(*) from company_members where company_id = new.company_id) >= room then
    raise exception 'company_full' using errcode = 'ATFUL', detail = room::text;
  end if;
  return new;
end $$;
create trigger keep_room before insert on company_members for each row execute function keep_company_room();

-- When a company is merged into another, its groups move with their members.
alter table group_members drop constraint group_members_group_id_company_id_fkey;
alter table group_members add constraint group_members_group_id_company_id_fkey
  foreign key (group_id, company_id) references groups (id, company_id) on delete cascade on update cascade;

-- A group that moved is no longer of the directory, whose end then leaves it alone.
create or replace function follow_scim_group() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into groups (id, company_id, name, from_directory, created_at)
    values (new.id, new.company_id, new.display_name, true, new.created_at);
  elsif tg_op = 'UPDATE' then
    update groups set name = new.display_name where id = new.id;
  else
    delete from groups where id = old.id and from_directory;
  end if;
  return null;
end $$;
create or replace function follow_scim_member() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from group_members where group_id = old.group_id and user_id = old.user_id
      and exists (select from groups where id = old.group_id and from_directory);
  else
    perform join_directory_groups(new.user_id, (select company_id from scim_groups where id = new.group_id));
  end if;
  return null;
end $$;
