-- Instructions that came with an archive, which does not say who wrote them.
alter table instruction_versions add column is_imported boolean not null default false;
