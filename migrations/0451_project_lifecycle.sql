alter table workspaces
  -- An archived project is read-only and hidden from lists.
  add column archived_at timestamptz,
  -- Company whose administrators name the next manager, while the project has no owner.
  add column managed_by uuid references companies on delete set null,
  alter column user_id drop not null;
create index workspaces_managed_by on workspaces (managed_by) where managed_by is not null;
create index workspaces_archived on workspaces (archived_at) where archived_at is not null;
alter table search_items alter column user_id drop not null;

create or replace function people_of_project(project uuid) returns setof uuid language sql stable as $$
  select user_id from workspaces where id = project and user_id is not null
  union select person_id from workspace_members where workspace_id = project and person_id is not null
  union select g.user_id from workspace_members m join group_members g on g.group_id = m.group_id
    where m.workspace_id = project
$$;

create or replace function tell_of_workspace() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform tell_people(array(select people_of_project(new.id) union select old.user_id where old.user_id is not null));
  elsif coalesce(new.user_id, old.user_id) is not null then
    perform tell_user(coalesce(new.user_id, old.user_id), 'workspaces_changed', '{}');
  end if;
  return null;
end $$;
create constraint trigger workspace_state_told after update of archived_at, user_id on workspaces
deferrable initially deferred for each row
when ((old.archived_at, old.user_id) is distinct from (new.archived_at, new.user_id))
execute function tell_of_workspace();

-- A former owner loses access at once, in open streams too.
create function leave_ownership() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_sign_out', old.user_id::text);
  perform unshare_chats_of_leavers(array[new.id]);
  return null;
end $$;
create constraint trigger workspace_owner_left after update of user_id on workspaces
deferrable initially deferred for each row
when (old.user_id is not null and old.user_id is distinct from new.user_id)
execute function leave_ownership();

-- Gives the shared projects of a person who leaves a company to another manager of each. Without one, the administrators of the
-- company name a manager. Projects without members stay with the person, and so do those with members of another company of theirs,
-- unless the account is deleted.
create function hand_over_projects(leaver uuid, company uuid, is_deleted boolean default false) returns void language plpgsql as $$
declare
  project uuid;
  heir uuid;
  manager uuid;
begin
  for project in
    select w.id from workspaces w
    where w.user_id = leaver and not w.is_default and exists (
        select from workspace_members m left join groups g on g.id = m.group_id
        where m.workspace_id = w.id and m.person_id is distinct from leaver)
      and (is_deleted or not exists (
        select from workspace_members m left join groups g on g.id = m.group_id
          join company_members still on still.user_id = leaver and still.company_id = coalesce(m.within, g.company_id)
        where m.workspace_id = w.id and still.company_id is distinct from company))
    order by w.id for update of w
  loop
    select next.person into heir from (
      select m.person_id as person, 0 as kind, m.created_at from workspace_members m
      where m.workspace_id = project and m.role = 'manager' and m.person_id is not null
      union all
      select g.user_id, 1, m.created_at from workspace_members m join group_members g on g.group_id = m.group_id
      where m.workspace_id = project and m.role = 'manager'
    ) next join users u on u.id = next.person and u.deactivated_at is null
    where next.person <> leaver order by next.kind, next.created_at, next.person limit 1;
    delete from workspace_members where workspace_id = project and person_id = heir;
    -- The company of the person if members are of it, otherwise that of a member. It may be about to be deleted.
    select c.id into manager from workspace_members m left join groups g on g.id = m.group_id
      join companies c on c.id = coalesce(m.within, g.company_id, company)
    where m.workspace_id = project order by c.id is distinct from company, m.created_at, m.id limit 1;
    update workspaces set user_id = heir, managed_by = case when heir is null then manager end where id = project;
  end loop;
end $$;

create or replace function leave_projects() returns trigger language plpgsql as $$
begin
  delete from workspace_members where person_id = old.user_id and within = old.company_id;
  perform hand_over_projects(old.user_id, old.company_id);
  return null;
end $$;

create function hand_over_before_deletion() returns trigger language plpgsql as $$
begin
  perform hand_over_projects(old.id, first_company(old.id), true);
  return old;
end $$;
create trigger user_hands_over_projects before delete on users
for each row execute function hand_over_before_deletion();

-- Returns whether a project lacks an active manager: it has no owner, or its owner is deactivated, members are left and
-- none of them is a manager.
create function lacks_manager(project uuid, owner uuid) returns boolean language sql stable as $$
  select owner is null or (exists (select from users where id = owner and deactivated_at is not null)
    and exists (select from workspace_members where workspace_id = project)
    and not exists (select from managers_of_project(project) manager join users u on u.id = manager
      where u.deactivated_at is null))
$$;

-- Returns the schedules that run in a project: those that use it, and those whose chat is in it.
create function schedules_of_project(project uuid) returns setof uuid language sql stable as $$
  select id from schedules
  where things @> jsonb_build_array(jsonb_build_object('kind', 'workspace', 'id', project))
    or session_id in (select id from sessions where workspace_id = project)
$$;
