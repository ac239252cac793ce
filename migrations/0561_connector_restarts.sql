-- Number of times that the listing of the sync under way began again.
alter table connectors add column restarts integer not null default 0;
