-- Found every second: runs at rest that were asked to end while their session was in use.
create index runs_to_stop on runs (created_at) where stop_requested and state in ('waiting', 'paused');
