-- The version of each tool somebody made that an assistant works with, by id: a change of the tool is none of the assistant.
alter table assistants add column tool_versions jsonb not null default '{}';

update assistants set tool_versions = coalesce(
  (
    select jsonb_object_agg(t.id, t.version)
    from own_tools t
    join own_tool_sets s on s.id = t.set_id
    where s.kind = 'api' and jsonb_exists(assistants.tools, t.id)
  ),
  '{}'
);
