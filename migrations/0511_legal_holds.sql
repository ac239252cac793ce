-- What a legal hold covers is not deleted until the hold is lifted. The triggers below refuse it on every path with the code ATHLD; jobs leave
-- it out beforehand.
create table legal_holds (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references users on delete cascade,
  workspace_id uuid references workspaces on delete cascade,
  -- The person or project, by the name at that time.
  name text not null,
  reason text not null,
  placed_by text not null,
  placed_at timestamptz not null,
  lifted_by text,
  lifted_at timestamptz,
  lift_reason text,
  check (num_nonnulls(user_id, workspace_id) = 1),
  check (num_nonnulls(lifted_by, lifted_at, lift_reason) in (0, 3))
);
create index legal_holds_user on legal_holds (user_id);
create index legal_holds_workspace on legal_holds (workspace_id);
create unique index legal_holds_active_user on legal_holds (user_id) where lifted_at is null;
create unique index legal_holds_active_workspace on legal_holds (workspace_id) where lifted_at is null;

create function is_held(person uuid, project uuid) returns boolean language sql stable as $$
  select exists (select from legal_holds where lifted_at is null and (user_id = person or workspace_id = project))
$$;

-- A document is in the projects of the documents that contain it. It is deleted with the documents that it contains.
create function is_document_held(document uuid, owner uuid) returns boolean language sql stable as $$
  select exists (select from legal_holds where lifted_at is null) and (is_held(owner, null) or exists (
    with recursive above as (
      select document as id
      union select d.parent_id from documents d join above on d.id = above.id where d.parent_id is not null),
    below as (
      select document as id
      union select d.id from documents d join below on d.parent_id = below.id)
    select from (select id from above union select id from below) related
      join workspace_documents w on w.document_id = related.id
      join legal_holds h on h.workspace_id = w.workspace_id and h.lifted_at is null))
$$;

-- Whether an account, or anything that its deletion would delete, is held.
create function is_account_held(person uuid) returns boolean language sql stable as $$
  select exists (select from legal_holds where lifted_at is null) and (is_held(person, null)
    or exists (select from sessions s where s.user_id = person and is_held(null, s.workspace_id))
    or exists (select from workspaces w where w.user_id = person and is_held(null, w.id))
    or exists (select from documents d where d.user_id = person and is_document_held(d.id, null))
    or exists (select from facts f where f.user_id = person and f.state = 'kept' and is_held(null, f.workspace_id))
    or exists (select from facts f join workspaces w on w.id = f.workspace_id
      where w.user_id = person and f.state = 'kept' and is_held(f.user_id, null))
    or exists (select from assistants a join embeds e on e.assistant_id = a.id join embed_visitors v on v.key_id = e.key_id
      join sessions s on s.visitor_id = v.id where a.user_id = person and is_held(s.user_id, s.workspace_id)))
$$;

create function refuse_held(is_it boolean) returns void language plpgsql as $$
begin
  if is_it then raise exception 'held' using errcode = 'ATHLD'; end if;
end
$$;

create function keep_held_user() returns trigger language plpgsql as $$
begin
  perform refuse_held(is_held(old.id, null));
  return old;
end
$$;
create trigger keep_held before delete on users for each row execute function keep_held_user();

-- Another owner would end the hold on the former one.
create function keep_held_workspace() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform refuse_held(is_held(old.user_id, old.id));
    return old;
  end if;
  if new.user_id is distinct from old.user_id then perform refuse_held(is_held(old.user_id, null)); end if;
  return new;
end
$$;
create trigger keep_held before delete or update of user_id on workspaces for each row execute function keep_held_workspace();

-- Empty chats are removed while they are prepared. Moving a chat to the trash, to another person or out of its project would end the hold on it.
create function keep_held_session() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform refuse_held(old.active_leaf is not null and is_held(old.user_id, old.workspace_id));
    return old;
  end if;
  if old.active_leaf is null then return new; end if;
  if (new.deleted_at is not null and new.deleted_at is distinct from old.deleted_at) or new.user_id is distinct from old.user_id then
    perform refuse_held(is_held(old.user_id, old.workspace_id));
  end if;
  if new.workspace_id is distinct from old.workspace_id then perform refuse_held(is_held(null, old.workspace_id)); end if;
  return new;
end
$$;
create trigger keep_held before delete or update of deleted_at, user_id, workspace_id on sessions
  for each row execute function keep_held_session();

create function keep_held_document() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform refuse_held(is_document_held(old.id, old.user_id));
    return old;
  end if;
  if (new.deleted_at is not null and new.deleted_at is distinct from old.deleted_at) or new.user_id is distinct from old.user_id then
    perform refuse_held(is_document_held(old.id, old.user_id));
  end if;
  return new;
end
$$;
create trigger keep_held before delete or update of deleted_at, user_id on documents for each row execute function keep_held_document();

create function keep_held_place() returns trigger language plpgsql as $$
begin
  perform refuse_held(is_held(null, old.workspace_id));
  return old;
end
$$;
create trigger keep_held before delete on workspace_documents for each row execute function keep_held_place();

-- When a whole chat is deleted, it is gone before its messages, and was checked itself.
create function keep_held_message() returns trigger language plpgsql as $$
begin
  perform refuse_held(is_held(s.user_id, s.workspace_id)) from sessions s where s.id = old.session_id;
  return old;
end
$$;
create trigger keep_held before delete on messages for each row execute function keep_held_message();

create function keep_held_tool_run() returns trigger language plpgsql as $$
begin
  perform refuse_held(is_held(old.user_id, null));
  return old;
end
$$;
create trigger keep_held before delete on runs for each row when (old.kind = 'tool' and old.session_id is null)
  execute function keep_held_tool_run();

create function keep_held_own() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform refuse_held(is_held(old.user_id, null));
    return old;
  end if;
  if new.user_id is distinct from old.user_id then perform refuse_held(is_held(old.user_id, null)); end if;
  return new;
end
$$;
create trigger keep_held before delete or update of user_id on assistants for each row execute function keep_held_own();
create trigger keep_held before delete or update of user_id on prompts for each row execute function keep_held_own();

create function keep_held_fact() returns trigger language plpgsql as $$
begin
  perform refuse_held(is_held(old.user_id, old.workspace_id));
  return old;
end
$$;
create trigger keep_held before delete on facts for each row when (old.state = 'kept') execute function keep_held_fact();
