-- Words of messages, passages, prompts and facts, for the search page. Triggers keep them. Rights are read from the things
-- themselves; each row also has its owner, and the lexeme `kind:owner`, by which the index finds the texts of some people only.

-- Lower case without accents and punctuation. Letters of scripts without spaces between words are words of their own.
create function search_fold(content text) returns text language sql immutable parallel safe strict as $$
  select regexp_replace(regexp_replace(
    lower(regexp_replace(normalize(content, NFKD), '[\u0300-\u036f]', '', 'g')),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])', ' \1 ', 'g'),
    '[\s\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+', ' ', 'g')
$$;

-- Pieces of 16,000 characters that overlap by 500, because a tsvector has at most 16,383 positions. At most 16 pieces, about
-- 250,000 characters, so that a huge text does not delay the commit that stores it.
create function search_pieces(content text) returns table (piece smallint, words tsvector)
language sql immutable parallel safe as $$
  select n::smallint, to_tsvector('simple', search_fold(substr(content, n * 15500 + 1, 16000)))
  from generate_series(0, least(15, greatest(0, (length(content) - 501) / 15500))) n
$$;

create table search_texts (
  kind text not null check (kind in ('message', 'chunk', 'prompt', 'fact')),
  id uuid not null,
  piece smallint not null,
  -- The chat of a message, the reading of a passage; otherwise the thing itself.
  parent_id uuid not null,
  -- The owner of the chat, reading or prompt; the project or person of a fact.
  owner uuid not null,
  -- Order of the results. Passages of one reading differ by a microsecond each.
  at timestamptz not null,
  words tsvector not null,
  primary key (kind, id, piece)
) with (toast_tuple_target = 128);
-- Outside of the row, so that many rows can be sorted quickly.
alter table search_texts alter column words set storage external;
create index search_texts_words on search_texts using gin (words);
-- For words that are in many texts: the newest ones are found by looking through the texts in order.
create index search_texts_newest on search_texts (owner, kind, at desc, id desc, piece);

-- Texts that a job indexes: those from before this migration, passages, long messages, kept temporary chats, and
-- chats with another owner.
create table search_backlog (kind text not null, id uuid not null, primary key (kind, id));

-- The generic plan is made once per connection. Planning for each text takes five times as long as indexing it.
create function index_search_text(kind text, id uuid) returns void language plpgsql
set plan_cache_mode = force_generic_plan as $$
begin
  delete from search_texts t where t.kind = $1 and t.id = $2;
  insert into search_texts (kind, id, piece, parent_id, owner, at, words)
  select $1, one.id, p.piece, one.parent_id, one.owner, one.at, p.words || array_to_tsvector(array[$1 || ':' || one.owner])
  from (
    select m.id, m.session_id as parent_id, m.created_at as at, s.user_id as owner, m.content as text
    from messages m join sessions s on s.id = m.session_id
    where $1 = 'message' and m.id = $2 and m.status <> 'streaming' and s.origin = 'chat'
    union all
    select c.id, c.reading_id, r.created_at - c.position * interval '1 microsecond', r.user_id, c.text
    from chunks c join readings r on r.id = c.reading_id where $1 = 'chunk' and c.id = $2
    union all
    select p.id, p.id, p.updated_at, p.user_id, p.name || ' /' || p.command || E'\n' || p.text
    from prompts p where $1 = 'prompt' and p.id = $2
    union all
    select f.id, f.id, f.learned_at, coalesce(f.workspace_id, f.user_id), f.text
    from facts f where $1 = 'fact' and f.id = $2 and f.state = 'kept') one
  cross join lateral search_pieces(one.text) p
  where one.text <> ''
  on conflict do nothing;
end $$;

create function index_text() returns trigger language plpgsql as $$
begin
  perform index_search_text(tg_argv[0], new.id);
  return null;
end $$;

-- Indexing 200,000 characters takes ten times as long as storing them, so that a job does it. The update of a waiting row locks
-- it until the new text is committed.
create function index_later() returns trigger language plpgsql as $$
begin
  delete from search_texts t where t.kind = tg_argv[0] and t.id = new.id;
  insert into search_backlog (kind, id) values (tg_argv[0], new.id)
  on conflict on constraint search_backlog_pkey do update set kind = excluded.kind;
  return null;
end $$;
-- A small document is found at once.
create function index_chunks() returns trigger language plpgsql as $$
begin
  if (select count(*) from added) <= 64 then
    perform index_search_text('chunk', id) from added;
    return null;
  end if;
  insert into search_backlog (kind, id) select 'chunk', id from added
  on conflict on constraint search_backlog_pkey do update set kind = excluded.kind;
  return null;
end $$;
-- The texts of a chat name its owner. A temporary chat has none until it is kept.
create function reindex_chat_later() returns trigger language plpgsql as $$
begin
  insert into search_backlog (kind, id) select 'message', id from messages where session_id = new.id order by id
  on conflict on constraint search_backlog_pkey do update set kind = excluded.kind;
  return null;
end $$;
create function unindex_texts() returns trigger language plpgsql as $$
begin
  delete from search_texts t using gone where t.kind = tg_argv[0] and t.id = gone.id;
  return null;
end $$;

create trigger message_text_indexed after insert on messages
for each row when (new.status <> 'streaming' and new.content <> '' and length(new.content) <= 16000)
execute function index_text('message');
create trigger long_message_indexed after insert on messages
for each row when (new.status <> 'streaming' and length(new.content) > 16000)
execute function index_later('message');
create trigger message_text_reindexed after update of content, status on messages
for each row when (new.status <> 'streaming' and length(new.content) <= 16000
  and (old.content, old.status) is distinct from (new.content, new.status))
execute function index_text('message');
create trigger long_message_reindexed after update of content, status on messages
for each row when (new.status <> 'streaming' and length(new.content) > 16000
  and (old.content, old.status) is distinct from (new.content, new.status))
execute function index_later('message');
create trigger chat_reindexed after update of user_id, origin on sessions
for each row when ((old.user_id, old.origin) is distinct from (new.user_id, new.origin)) execute function reindex_chat_later();
create trigger message_texts_unindexed after delete on messages referencing old table as gone
for each statement execute function unindex_texts('message');
create trigger chunk_texts_indexed after insert on chunks referencing new table as added
for each statement execute function index_chunks();
create trigger chunk_texts_unindexed after delete on chunks referencing old table as gone
for each statement execute function unindex_texts('chunk');
create trigger prompt_text_indexed after insert or update of name, command, text on prompts
for each row execute function index_text('prompt');
create trigger prompt_texts_unindexed after delete on prompts referencing old table as gone
for each statement execute function unindex_texts('prompt');
create trigger fact_text_indexed after insert or update of text, state, workspace_id, user_id, learned_at on facts
for each row execute function index_text('fact');
create trigger fact_texts_unindexed after delete on facts referencing old table as gone
for each statement execute function unindex_texts('fact');

insert into search_backlog (kind, id)
select 'message', m.id from messages m join sessions s on s.id = m.session_id
where m.content <> '' and s.origin = 'chat'
union all select 'chunk', id from chunks
union all select 'prompt', id from prompts
union all select 'fact', id from facts where state = 'kept';
