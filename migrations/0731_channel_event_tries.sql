-- Failed attempts to answer an event. It is given up after some.
alter table channel_events add column if not exists tries integer not null default 0;
