-- Readers ask for what came after an id: the last of a row decides, so the index ends with it.
drop index run_events_session;
create index run_events_session on run_events (session_id, last_id);
