-- Classes of data of a company, from the most open to the strictest one. Documents, projects, connectors and databases carry one.
create table data_classes (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  name text not null,
  position integer not null,
  -- The class of new documents, and of documents without one.
  is_default boolean not null default false,
  created_at timestamptz not null default clock_timestamp()
);
create unique index data_classes_name on data_classes (company_id, lower(name));
create unique index data_classes_default on data_classes (company_id) where is_default;
create index data_classes_order on data_classes (company_id, position, id);

create function add_data_classes(company uuid) returns void language sql as $$
  insert into data_classes (company_id, name, position, is_default)
  values (company, 'Public', 0, false), (company, 'Internal', 1, true), (company, 'Confidential', 2, false),
    (company, 'Strictly confidential', 3, false)
  on conflict do nothing
$$;
select add_data_classes(id) from companies order by created_at, id;
create function begin_data_classes() returns trigger language plpgsql as $$
begin
  perform add_data_classes(new.id);
  return null;
end
$$;
create trigger begin_data_classes after insert on companies for each row execute function begin_data_classes();

alter table documents add column class_id uuid references data_classes on delete set null;
alter table workspaces add column class_id uuid references data_classes on delete set null;
alter table connectors add column class_id uuid references data_classes on delete set null;
alter table databases add column class_id uuid references data_classes on delete set null;
create index documents_class on documents (class_id) where class_id is not null;
create index workspaces_class on workspaces (class_id) where class_id is not null;
create index connectors_class on connectors (class_id) where class_id is not null;
create index databases_class on databases (class_id) where class_id is not null;

-- A reading that is found by words only: the embedding model may not receive the class of its document.
alter table readings add column words_only boolean not null default false, add column words_only_checked_at timestamptz;
create index readings_words_only on readings (words_only_checked_at nulls first, id) where words_only;

-- Receivers that a company restricts: a provider of models, `web` or `tools`. A receiver without a row may receive everything.
create table class_receivers (
  company_id uuid not null references companies on delete cascade,
  receiver text not null,
  primary key (company_id, receiver)
);
create index class_receivers_receiver on class_receivers (receiver);
create table class_receiver_classes (
  company_id uuid not null,
  receiver text not null,
  class_id uuid not null references data_classes on delete cascade,
  primary key (company_id, receiver, class_id),
  foreign key (company_id, receiver) references class_receivers on delete cascade
);
create index class_receiver_classes_class on class_receiver_classes (class_id);

-- Things whose text entered a run. `class_id` is the class of a thing that is gone; of others the present class counts.
create table run_sources (
  run_id uuid not null references runs on delete cascade,
  kind text not null check (kind in ('document', 'project', 'connector', 'database')),
  source_id uuid not null,
  -- Number of records in the journal of the run when the text entered.
  position integer not null default 0,
  class_id uuid references data_classes on delete set null,
  primary key (run_id, kind, source_id)
);
create index run_sources_source on run_sources (source_id);
create index run_sources_class on run_sources (class_id) where class_id is not null;

-- Things whose text entered the chat from which a fact was learned, until then.
create table fact_sources (
  fact_id uuid not null references facts on delete cascade,
  kind text not null check (kind in ('document', 'project', 'connector', 'database')),
  source_id uuid not null,
  class_id uuid references data_classes on delete set null,
  primary key (fact_id, kind, source_id)
);
create index fact_sources_source on fact_sources (source_id);
create index fact_sources_class on fact_sources (class_id) where class_id is not null;

-- Things whose text is in the copied messages of a chat, which have no runs of their own.
create table session_sources (
  session_id uuid not null references sessions on delete cascade,
  kind text not null check (kind in ('document', 'project', 'connector', 'database')),
  source_id uuid not null,
  class_id uuid references data_classes on delete set null,
  primary key (session_id, kind, source_id)
);
create index session_sources_source on session_sources (source_id);
create index session_sources_class on session_sources (class_id) where class_id is not null;

-- The sub-run that wrote a message: a model of a comparison.
create table reply_runs (
  message_id uuid primary key references messages on delete cascade,
  run_id uuid not null references runs on delete cascade
);
create index reply_runs_run on reply_runs (run_id);

-- New documents get the class of their owner's company. Parts of a document and documents of a connector take the class of those.
create function class_document() returns trigger language plpgsql as $$
begin
  new.class_id := (select c.id from company_members m join data_classes c on c.company_id = m.company_id and c.is_default
    where m.user_id = new.user_id order by c.created_at, c.id limit 1);
  return new;
end
$$;
create trigger class_document before insert on documents for each row
  when (new.class_id is null and new.parent_id is null and new.connector_id is null) execute function class_document();

-- Documents that stay when a connector is removed keep its class.
create function leave_class() returns trigger language plpgsql as $$
begin
  update documents set class_id = old.class_id where connector_id = old.id and class_id is null;
  return old;
end
$$;
create trigger leave_class before delete on connectors for each row
  when (old.class_id is not null) execute function leave_class();

-- The classes of a document, at most one per company: the strictest of its own, and of those of its parents, projects and connector.
-- A document without any has the default class of its owner's companies.
create function classes_of_document(document uuid) returns setof uuid language sql stable as $$
  with recursive whole as (
    select d.id, d.parent_id, d.user_id, d.class_id, d.connector_id from documents d where d.id = document
    union
    select d.id, d.parent_id, d.user_id, d.class_id, d.connector_id from whole w join documents d on d.id = w.parent_id
  ), given as (
    select class_id from whole where class_id is not null
    union select k.class_id from whole w join connectors k on k.id = w.connector_id where k.class_id is not null
  ), every as (
    select class_id from given
    union select p.class_id from whole w join workspace_documents l on l.document_id = w.id
      join workspaces p on p.id = l.workspace_id where p.class_id is not null
    union select c.id from whole w join company_members m on m.user_id = w.user_id
      join data_classes c on c.company_id = m.company_id and c.is_default where not exists (select from given)
  )
  select distinct on (c.company_id) c.id from every e join data_classes c on c.id = e.class_id
  order by c.company_id, c.position desc, c.id
$$;

-- The present classes of a source, or `gone` when there is no such thing any more.
create function classes_of_source(of_kind text, of_id uuid, gone uuid) returns setof uuid language plpgsql stable as $$
begin
  if of_kind = 'document' and exists (select from documents where id = of_id) then
    return query select classes_of_document(of_id);
  elsif of_kind = 'project' and exists (select from workspaces where id = of_id) then
    return query select w.class_id from workspaces w where w.id = of_id and w.class_id is not null;
  elsif of_kind = 'connector' and exists (select from connectors where id = of_id) then
    return query select k.class_id from connectors k where k.id = of_id and k.class_id is not null;
  elsif of_kind = 'database' and exists (select from databases where id = of_id) then
    return query select b.class_id from databases b where b.id = of_id and b.class_id is not null;
  elsif gone is not null then
    return next gone;
  end if;
end
$$;

-- A deleted thing leaves its class with the texts that were made from it.
create function keep_class() returns trigger language plpgsql as $$
declare
  held text := tg_argv[0];
  strictest uuid;
begin
  if not exists (select from run_sources where source_id = old.id) and not exists (select from fact_sources where source_id = old.id)
    and not exists (select from session_sources where source_id = old.id) then
    return old;
  end if;
  select c.id into strictest from classes_of_source(held, old.id, null) as own (id) join data_classes c on c.id = own.id
    order by c.position desc, c.id limit 1;
  update run_sources set class_id = strictest where source_id = old.id and kind = held;
  update fact_sources set class_id = strictest where source_id = old.id and kind = held;
  update session_sources set class_id = strictest where source_id = old.id and kind = held;
  return old;
end
$$;
create trigger keep_class before delete on documents for each row execute function keep_class('document');
create trigger keep_class before delete on workspaces for each row execute function keep_class('project');
create trigger keep_class before delete on connectors for each row execute function keep_class('connector');
create trigger keep_class before delete on databases for each row execute function keep_class('database');

-- The sources of runs with all their sub-runs, of the facts told to them, and the projects the runs are placed in.
create function sources_of_runs(started uuid[]) returns table (kind text, source_id uuid, class_id uuid) language sql stable as $$
  with recursive tree as (
    select r.id, r.workspace_id, r.message_id from runs r where r.id = any(started)
    union
    select r.id, r.workspace_id, r.message_id from tree t join runs r on r.parent_run_id = t.id
  )
  select s.kind, s.source_id, s.class_id from tree t join run_sources s on s.run_id = t.id
  union select 'project', t.workspace_id, null::uuid from tree t where t.workspace_id is not null
  union select f.kind, f.source_id, f.class_id
    from tree t join fact_uses u on u.message_id = t.message_id join fact_sources f on f.fact_id = u.fact_id
$$;

-- The sources of replies of a comparison: those of the model that wrote each, and of the run that asked it.
create function sources_of_alternatives(replies uuid[]) returns table (kind text, source_id uuid, class_id uuid) language sql stable as $$
  select s.kind, s.source_id, s.class_id from sources_of_runs(array(select run_id from reply_runs where message_id = any(replies))) s
  union select s.kind, s.source_id, s.class_id from reply_runs x join runs r on r.id = x.run_id
    join run_sources s on s.run_id = r.parent_run_id where x.message_id = any(replies)
$$;

-- The sources of a conversation up to a message: those of its replies, and the project of the chat.
create function sources_of_path(leaf uuid) returns table (kind text, source_id uuid, class_id uuid) language sql stable as $$
  with recursive path as (
    select m.id, m.parent_id, m.session_id from messages m where m.id = leaf
    union all
    select m.id, m.parent_id, m.session_id from path p join messages m on m.id = p.parent_id
  )
  select s.kind, s.source_id, s.class_id
    from sources_of_runs(array(select r.id from path p join runs r on r.message_id = p.id where r.parent_run_id is null)) s
  union select s.kind, s.source_id, s.class_id from sources_of_alternatives(array(select id from path)) s
  union select s.kind, s.source_id, s.class_id from session_sources s where s.session_id = (select session_id from path limit 1)
  union select 'project', chat.workspace_id, null::uuid from sessions chat
    where chat.id = (select session_id from path limit 1) and chat.workspace_id is not null
$$;

-- The sources of everything in a chat.
create function sources_of_chat(chat uuid) returns table (kind text, source_id uuid, class_id uuid) language sql stable as $$
  select s.kind, s.source_id, s.class_id
    from sources_of_runs(array(select id from runs where session_id = chat and parent_run_id is null)) s
  union select s.kind, s.source_id, s.class_id from session_sources s where s.session_id = chat
  union select 'project', workspace_id, null::uuid from sessions where id = chat and workspace_id is not null
$$;

-- All sources of a run: its own, those of its parents, of the facts told to it, and of the conversation before it.
create function sources_of_run(run uuid) returns table (kind text, source_id uuid, class_id uuid) language sql stable as $$
  with recursive up as (
    select r.id, r.parent_run_id, r.user_message_id, r.message_id, r.workspace_id, r.session_id from runs r where r.id = run
    union
    select r.id, r.parent_run_id, r.user_message_id, r.message_id, r.workspace_id, r.session_id
      from up u join runs r on r.id = u.parent_run_id
  )
  select s.kind, s.source_id, s.class_id from up u join run_sources s on s.run_id = u.id
  union select 'project', u.workspace_id, null::uuid from up u where u.workspace_id is not null
  union select 'project', chat.workspace_id, null::uuid from up u join sessions chat on chat.id = u.session_id
    where chat.workspace_id is not null
  union select f.kind, f.source_id, f.class_id
    from up u join fact_uses m on m.message_id = u.message_id join fact_sources f on f.fact_id = m.fact_id
  union select p.kind, p.source_id, p.class_id from up u cross join lateral sources_of_path(u.user_message_id) p
    where u.user_message_id is not null
$$;

-- A run that continues the journal of another one holds what entered before that position. A message that names other chats quotes them.
create function begin_sources() returns trigger language plpgsql as $$
begin
  if new.forked_from_run is not null then
    insert into run_sources (run_id, kind, source_id, class_id)
    select new.id, s.kind, s.source_id, s.class_id from run_sources s
    where s.run_id = new.forked_from_run and s.position <= coalesce(new.forked_from_position, s.position)
    on conflict do nothing;
  end if;
  insert into run_sources (run_id, kind, source_id, class_id)
  select distinct on (s.kind, s.source_id) new.id, s.kind, s.source_id, s.class_id
  from messages m cross join lateral jsonb_array_elements(case jsonb_typeof(m.metadata -> 'mentions')
      when 'array' then m.metadata -> 'mentions' else '[]' end) as named
    join sessions chat on chat.id::text = named ->> 'id' cross join lateral sources_of_path(chat.active_leaf) s
  where m.id = new.user_message_id and named ->> 'kind' = 'session' and chat.active_leaf is not null
  order by s.kind, s.source_id
  on conflict do nothing;
  return null;
end
$$;
create trigger begin_sources after insert on runs for each row
  when (new.user_message_id is not null or new.forked_from_run is not null) execute function begin_sources();

-- A fact learned from a chat has the sources of that chat up to the message and its replies.
create function learn_sources() returns trigger language plpgsql as $$
begin
  insert into fact_sources (fact_id, kind, source_id, class_id)
  select distinct on (s.kind, s.source_id) new.id, s.kind, s.source_id, s.class_id from (
    select * from sources_of_path(new.message_id)
    union all select * from sources_of_runs(array(select id from runs where user_message_id = new.message_id and parent_run_id is null))
  ) s order by s.kind, s.source_id
  on conflict do nothing;
  return null;
end
$$;
create trigger learn_sources after insert or update of message_id on facts for each row
  when (new.message_id is not null) execute function learn_sources();

-- A reply that is told a fact has its sources, also after the fact is deleted.
create function tell_sources() returns trigger language plpgsql as $$
begin
  insert into run_sources (run_id, kind, source_id, class_id)
  select r.id, f.kind, f.source_id, f.class_id from runs r join fact_sources f on f.fact_id = new.fact_id
  where r.message_id = new.message_id and r.parent_run_id is null order by r.id, f.kind, f.source_id
  on conflict do nothing;
  return null;
end
$$;
create trigger tell_sources after insert on fact_uses for each row execute function tell_sources();
