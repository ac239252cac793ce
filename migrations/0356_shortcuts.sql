-- Keys that a person changed, by action. Actions that are not named have their default keys.
alter table users add column shortcuts jsonb not null default '{}';
