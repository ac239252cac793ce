-- A message of an ordinary size is found by its trigrams, a long one by looking through it: the index of a megabyte
-- would be written with every one. A database that has no `pg_trgm` or may not have it searches without.
create index messages_long on messages (session_id) where octet_length(content) > 8192;

set local maintenance_work_mem = '256MB';

do $$
begin
  create extension if not exists pg_trgm;
  -- New messages wait in a short list that the next ones write away: a long one would hold up whoever comes last.
  create index messages_short on messages using gin (content gin_trgm_ops) with (gin_pending_list_limit = 512)
    where octet_length(content) <= 8192;
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise notice 'pg_trgm is not available: searches look through all messages of a person.';
end
$$;
