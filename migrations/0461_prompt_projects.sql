-- Prompts shared with a project. The role of a member decides what the share allows.
alter table prompt_shares add column workspace_id uuid references workspaces on delete cascade;
alter table prompt_shares drop constraint prompt_shares_check;
alter table prompt_shares add constraint prompt_shares_recipient
  check (num_nonnulls(company_id, group_id, person_id, workspace_id) + everybody::integer = 1);
create unique index prompt_shares_workspace on prompt_shares (prompt_id, workspace_id) where workspace_id is not null;
create index prompt_shares_of_workspace on prompt_shares (workspace_id) where workspace_id is not null;

-- Members of a project are told of a prompt that is shared with it.
create or replace function notify_of_share() returns trigger language plpgsql as $$
declare
  thing uuid := (to_jsonb(new) ->> tg_argv[0])::uuid;
  owner uuid;
  person uuid;
begin
  execute format('select user_id from %I where id = $1', tg_argv[1]) into owner using thing;
  for person in
    select new.person_id where new.person_id is not null
    union select user_id from group_members where group_id = new.group_id
    union select user_id from company_members where company_id = new.company_id
    union select people_of_project((to_jsonb(new) ->> 'workspace_id')::uuid)
    order by 1 limit 10000
  loop
    if person is distinct from owner and person is distinct from new.shared_by then
      perform notify_person(person, 'item_shared', 'share ' || new.id, jsonb_build_object(tg_argv[2], thing,
        'sharer_id', coalesce(new.shared_by, owner)));
    end if;
  end loop;
  return null;
end $$;
