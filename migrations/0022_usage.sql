-- For how long a run was held each time before it came to rest: what a person waited for it, without their own pauses.
alter table runs add column worked_ms integer not null default 0;

-- A model may name a chat after its first reply.
alter table sessions drop constraint sessions_title_source_check;
alter table sessions add check (title_source in ('default', 'message', 'model', 'user'));
