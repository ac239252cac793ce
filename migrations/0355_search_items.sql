-- One index of everything a person can go to: chats, projects, documents, assistants and prompts. Triggers keep it. Rights
-- are read from the things themselves; its owner and company only narrow a search.
create function search_words(title text) returns text language sql immutable parallel safe strict as $$
  select ' ' || btrim(regexp_replace(
    lower(regexp_replace(normalize(left(title, 400), NFKD), '[\u0300-\u036f]', '', 'g')),
    '[\s\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g'))
$$;

create table search_items (
  kind text not null check (kind in ('session', 'workspace', 'document', 'assistant', 'prompt')),
  id uuid not null,
  user_id uuid not null,
  company_id uuid,
  -- Words in lower case without accents, each after one space.
  words text not null,
  updated_at timestamptz not null,
  primary key (kind, id)
);
create index search_items_owner on search_items (user_id, kind);
create index search_items_company on search_items (company_id, kind) where company_id is not null;

-- The last time a person opened something from the palette or named it in a message.
create table search_uses (
  user_id uuid not null references users on delete cascade,
  kind text not null,
  item_id uuid not null,
  used_at timestamptz not null,
  primary key (user_id, kind, item_id),
  foreign key (kind, item_id) references search_items (kind, id) on delete cascade
);
create index search_uses_item on search_uses (kind, item_id);
create index search_uses_recent on search_uses (user_id, used_at desc);

create function put_search_item(kind text, id uuid, user_id uuid, company_id uuid, title text, updated_at timestamptz)
returns void language sql as $$
  insert into search_items (kind, id, user_id, company_id, words, updated_at)
  values ($1, $2, $3, $4, search_words($5), $6)
  on conflict on constraint search_items_pkey do update set
    user_id = excluded.user_id, company_id = excluded.company_id, words = excluded.words, updated_at = excluded.updated_at
$$;

create function index_thing() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    delete from search_items where kind = tg_argv[0] and id = old.id;
    return null;
  end if;
  case tg_argv[0]
    when 'session' then perform put_search_item('session', new.id, new.user_id, null, new.title, new.updated_at);
    when 'workspace' then perform put_search_item('workspace', new.id, new.user_id, null, new.name, new.updated_at);
    when 'document' then perform put_search_item('document', new.id, new.user_id, new.company_id, new.name, new.updated_at);
    when 'assistant' then perform put_search_item('assistant', new.id, new.user_id, null, new.name, new.updated_at);
    when 'prompt' then
      perform put_search_item('prompt', new.id, new.user_id, null, new.command || ' ' || new.name, new.updated_at);
  end case;
  return null;
end $$;

create trigger session_indexed after insert on sessions
for each row when (new.origin = 'chat') execute function index_thing('session');
create trigger session_reindexed after update of title, user_id, updated_at on sessions
for each row when (new.origin = 'chat'
  and (old.title, old.user_id, old.updated_at) is distinct from (new.title, new.user_id, new.updated_at))
execute function index_thing('session');
create trigger session_unindexed after delete on sessions
for each row when (old.origin = 'chat') execute function index_thing('session');

create trigger workspace_indexed after insert or update of name, user_id on workspaces
for each row execute function index_thing('workspace');
create trigger workspace_unindexed after delete on workspaces for each row execute function index_thing('workspace');
create trigger document_indexed after insert or update of name, user_id, company_id on documents
for each row execute function index_thing('document');
create trigger document_unindexed after delete on documents for each row execute function index_thing('document');
create trigger assistant_indexed after insert or update of name, user_id on assistants
for each row execute function index_thing('assistant');
create trigger assistant_unindexed after delete on assistants for each row execute function index_thing('assistant');
create trigger prompt_indexed after insert or update of name, command, user_id on prompts
for each row execute function index_thing('prompt');
create trigger prompt_unindexed after delete on prompts for each row execute function index_thing('prompt');

insert into search_items (kind, id, user_id, company_id, words, updated_at)
select 'session', id, user_id, null::uuid, search_words(title), updated_at from sessions where origin = 'chat'
union all select 'workspace', id, user_id, null, search_words(name), updated_at from workspaces
union all select 'document', id, user_id, company_id, search_words(name), updated_at from documents
union all select 'assistant', id, user_id, null, search_words(name), updated_at from assistants
union all select 'prompt', id, user_id, null, search_words(command || ' ' || name), updated_at from prompts;
