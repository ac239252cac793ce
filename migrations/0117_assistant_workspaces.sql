-- Workspaces whose documents an assistant answers from, beside the documents it names.
alter table assistants add column workspaces jsonb not null default '[]';
update assistant_versions set content = content || '{"workspaces": []}';
