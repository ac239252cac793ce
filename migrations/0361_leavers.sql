-- Members read a chat shared with their project while its owner is in the project too: the owner reads what they write there.
create function unshare_chats_of_leavers(projects uuid[]) returns void language sql as $$
  update sessions s set shared_with_project = false
  where s.shared_with_project and s.workspace_id = any(projects)
    and not exists (select from people_of_project(s.workspace_id) person where person = s.user_id)
$$;

create function unshare_after_member_left() returns trigger language plpgsql as $$
begin
  perform unshare_chats_of_leavers(array[old.workspace_id]);
  return null;
end $$;
create constraint trigger member_takes_chats after delete on workspace_members
deferrable initially deferred for each row execute function unshare_after_member_left();

create function unshare_after_group_left() returns trigger language plpgsql as $$
begin
  perform unshare_chats_of_leavers(array(select workspace_id from workspace_members where group_id = old.group_id));
  return null;
end $$;
create constraint trigger group_member_takes_chats after delete on group_members
deferrable initially deferred for each row execute function unshare_after_group_left();

select unshare_chats_of_leavers(array(select distinct workspace_id from sessions where shared_with_project));
