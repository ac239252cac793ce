-- A workspace is a project: besides documents it has instructions, a default assistant and model, members and chats.
alter table workspaces
  add column instructions text not null default '',
  -- 0 until instructions were saved.
  add column instructions_version integer not null default 0,
  -- Not a reference, because the assistants of the product have no row.
  add column assistant_id uuid,
  add column model_name text,
  add column colour text not null default 'blue',
  add column icon text not null default 'folder';

create table instruction_versions (
  workspace_id uuid not null references workspaces on delete cascade,
  version integer not null,
  text text not null,
  saved_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, version)
);
create index instruction_versions_saved_by on instruction_versions (saved_by) where saved_by is not null;

create table workspace_members (
  id uuid primary key default gen_random_uuid(),
  workspace_id uuid not null references workspaces on delete cascade,
  person_id uuid references users on delete cascade,
  group_id uuid references groups on delete cascade,
  -- Company the person must still belong to; null when a super admin added them.
  within uuid references companies on delete cascade,
  role text not null check (role in ('reader', 'writer', 'manager')),
  added_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(person_id, group_id) = 1),
  check (within is null or person_id is not null),
  unique (workspace_id, person_id),
  unique (workspace_id, group_id)
);
create index workspace_members_person on workspace_members (person_id) where person_id is not null;
create index workspace_members_group on workspace_members (group_id) where group_id is not null;
create index workspace_members_within on workspace_members (within) where within is not null;
create index workspace_members_added_by on workspace_members (added_by) where added_by is not null;

-- Members read the documents that their owners added, and no others.
alter table workspace_documents add column added_by uuid references users on delete set null;
update workspace_documents d set added_by = w.user_id from workspaces w where w.id = d.workspace_id;
create index workspace_documents_added_by on workspace_documents (added_by) where added_by is not null;

alter table sessions
  add column workspace_id uuid references workspaces on delete set null,
  -- Members of the project may read the chat.
  add column shared_with_project boolean not null default false;
create index sessions_workspace on sessions (workspace_id, updated_at desc, id) where workspace_id is not null;

-- How a person arranges projects in the sidebar.
create table project_marks (
  user_id uuid not null references users on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  is_pinned boolean not null default false,
  is_collapsed boolean not null default true,
  -- Place chosen by the person; null for one they never moved.
  position integer,
  primary key (user_id, workspace_id)
);
create index project_marks_workspace on project_marks (workspace_id);

-- Returns the owner and the members of a project, those of its groups included.
create function people_of_project(project uuid) returns setof uuid language sql stable as $$
  select user_id from workspaces where id = project
  union select person_id from workspace_members where workspace_id = project and person_id is not null
  union select g.user_id from workspace_members m join group_members g on g.group_id = m.group_id
    where m.workspace_id = project
$$;

-- Tells people that their projects changed, in one order for all transactions, because each person is locked.
create function tell_people(people uuid[]) returns void language plpgsql as $$
declare person uuid;
begin
  for person in select distinct unnest(people) order by 1 loop
    perform tell_user(person, 'workspaces_changed', '{}');
  end loop;
end $$;

create or replace function tell_of_workspace() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform tell_people(array(select people_of_project(new.id)));
  else
    perform tell_user(coalesce(new.user_id, old.user_id), 'workspaces_changed', '{}');
  end if;
  return null;
end $$;
drop trigger workspace_change_told on workspaces;
create constraint trigger workspace_change_told
after update of name, description, instructions_version, assistant_id, model_name, colour, icon on workspaces
deferrable initially deferred for each row
when ((old.name, old.description, old.instructions_version, old.assistant_id, old.model_name, old.colour, old.icon)
  is distinct from (new.name, new.description, new.instructions_version, new.assistant_id, new.model_name, new.colour, new.icon))
execute function tell_of_workspace();

-- Tells the people of a project, and checks the open streams of those whose role changed or ended.
create function tell_of_member() returns trigger language plpgsql as $$
declare
  project uuid := coalesce(new.workspace_id, old.workspace_id);
  changed uuid[] := array(select coalesce(new.person_id, old.person_id)
    union select user_id from group_members where group_id = coalesce(new.group_id, old.group_id));
begin
  perform tell_people(array_remove(changed || array(select people_of_project(project)), null));
  if tg_op <> 'INSERT' then
    perform pg_notify('atrium_sign_out', person::text) from unnest(changed) person where person is not null;
  end if;
  return null;
end $$;
create constraint trigger member_told after insert or update or delete on workspace_members
deferrable initially deferred for each row execute function tell_of_member();

-- Leaving a group ends the access it gave.
create function tell_of_group_member() returns trigger language plpgsql as $$
begin
  perform tell_people(array[coalesce(new.user_id, old.user_id)]);
  if tg_op = 'DELETE' then perform pg_notify('atrium_sign_out', old.user_id::text); end if;
  return null;
end $$;
create constraint trigger group_member_told after insert or delete on group_members
deferrable initially deferred for each row execute function tell_of_group_member();

-- Leaving a company ends the memberships given in it.
create function leave_projects() returns trigger language plpgsql as $$
begin
  delete from workspace_members where person_id = old.user_id and within = old.company_id;
  return null;
end $$;
create trigger company_member_leaves_projects after delete on company_members
for each row execute function leave_projects();

create function tell_of_project_marks() returns trigger language plpgsql as $$
begin
  perform tell_user(new.user_id, 'workspaces_changed', '{}');
  return null;
end $$;
create constraint trigger project_marks_told after insert or update on project_marks
deferrable initially deferred for each row execute function tell_of_project_marks();

-- A chat that is moved, shared or no longer shared changes the project of its members.
create function tell_of_project_chat() returns trigger language plpgsql as $$
begin
  perform tell_people(array(select new.user_id
    union select people_of_project(old.workspace_id) where old.shared_with_project
    union select people_of_project(new.workspace_id) where new.shared_with_project));
  if old.shared_with_project then perform pg_notify('atrium_withdrawn', new.id::text); end if;
  return null;
end $$;
create constraint trigger project_chat_told after update of workspace_id, shared_with_project on sessions
deferrable initially deferred for each row
when ((old.workspace_id, old.shared_with_project) is distinct from (new.workspace_id, new.shared_with_project))
execute function tell_of_project_chat();

-- Changes of a shared chat are told to everybody in its project.
create or replace function tell_of_session() returns trigger language plpgsql as $$
declare
  kind text;
  chat sessions := case when tg_op = 'DELETE' then old else new end;
  person uuid;
begin
  if chat.origin <> 'chat' then return null; end if;
  kind = case
    when tg_op = 'INSERT' then 'session_created'
    when tg_op = 'DELETE' or (old.deleted_at is null and new.deleted_at is not null) then 'session_deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'session_created'
    else 'session_changed' end;
  if tg_op = 'DELETE' and old.deleted_at is not null then return null; end if;
  for person in
    select chat.user_id union select people_of_project(chat.workspace_id) where chat.shared_with_project order by 1
  loop
    if kind = 'session_deleted' then
      perform tell_user(person, kind, json_build_object('session_id', chat.id));
    else
      perform tell_user(person, kind, json_build_object('session_id', chat.id, 'title', chat.title,
        'status', chat.status, 'agent_status', chat.agent_status,
        'is_unread', chat.activity > coalesce((select seen from session_marks m
          where m.user_id = person and m.session_id = chat.id), 0)));
    end if;
  end loop;
  return null;
end $$;
