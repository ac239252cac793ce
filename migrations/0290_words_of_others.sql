-- Whether anybody but the owner has written the words of an assistant: an editor, an earlier owner, the author of an imported file.
alter table assistants add column is_by_others boolean not null default false;
update assistants a set is_by_others = true
where exists (select from assistant_versions v where v.assistant_id = a.id and v.saved_by is distinct from a.user_id);
