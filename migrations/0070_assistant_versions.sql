-- What an assistant was with every save; the newest is what it is.
create table assistant_versions (
  assistant_id uuid not null references assistants on delete cascade,
  version integer not null,
  saved_by uuid references users on delete set null,
  -- The version whose content was brought back with this one.
  returned_from integer,
  -- Names of what differs from the version before.
  changed jsonb not null default '[]',
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (assistant_id, version)
);
create index assistant_versions_saved_by on assistant_versions (saved_by) where saved_by is not null;

insert into assistant_versions (assistant_id, version, saved_by, content, created_at)
select id, 1, user_id, jsonb_build_object(
    'name', name, 'description', description, 'icon', icon, 'agent_type', agent_type, 'model_name', model_name,
    'system_prompt', system_prompt, 'example_prompts', example_prompts, 'temperature', temperature,
    'documents', documents, 'tools', tools), updated_at
from assistants;
