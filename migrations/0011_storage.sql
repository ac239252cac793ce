-- How much of a page a message takes, as JSON of the wire. The sizes PostgreSQL keeps itself are those after compression.
alter table messages add column bytes integer not null
  generated always as (octet_length(jsonb_object(array['', content])::text) + octet_length(blocks::text)) stored;

-- What a session keeps on disk, grown with each message and run, gone with the session: a person's storage is their sum.
alter table sessions add column stored_bytes bigint not null default 0;
update sessions set stored_bytes =
  coalesce((select sum(octet_length(content) + octet_length(blocks::text)) from messages where session_id = sessions.id), 0)
  + coalesce((
    select sum(pg_column_size(value)) from runs join run_records on run_id = runs.id
    where session_id = sessions.id and runs.kind = 'chat'), 0);

-- The list and the sum are read from the index alone.
drop index sessions_user;
create index sessions_user on sessions (user_id, updated_at desc, id) include (stored_bytes);
