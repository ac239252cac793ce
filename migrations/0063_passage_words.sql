-- The words of passages stand with their documents alone: what messages, journals and events kept of them outlived the right to read them.
create function pg_temp.without_words(given jsonb) returns jsonb language plpgsql as $$
begin
  if jsonb_typeof(given) = 'array' then
    return coalesce((select jsonb_agg(pg_temp.without_words(e.item) order by e.place)
      from jsonb_array_elements(given) with ordinality as e (item, place)), '[]');
  elsif jsonb_typeof(given) = 'object' then
    return coalesce((select jsonb_object_agg(e.name, pg_temp.without_words(e.item)) from jsonb_each(given) as e (name, item)
      where not (e.name = 'text_preview' and given ? 'chunk_id') and not (e.name = 'snippet' and given ? 'passage')), '{}');
  end if;
  return given;
end $$;

update messages set blocks = pg_temp.without_words(blocks)
  where blocks::text ~ '"(text_preview|passage)":';
-- These are json, which may hold a character that jsonb does not.
update tool_executions set result = pg_temp.without_words(result::jsonb)::json
  where tool_id = 'document_search' and result::text ~ '"text_preview"\s*:' and result::text not like '%\\u0000%';
update run_records set value = pg_temp.without_words(value::jsonb)::json
  where value::text ~ '"(text_preview|passage)"\s*:' and value::text not like '%\\u0000%';
update run_events set events = pg_temp.without_words(events::jsonb)::json
  where events::text ~ '"(text_preview|passage)"\s*:' and events::text not like '%\\u0000%';
