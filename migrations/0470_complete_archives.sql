-- An archive of our own also restores facts, schedules, and what tools made. A run of an imported reply has no journal.
alter table import_problems drop constraint import_problems_kind_check,
  add constraint import_problems_kind_check check (kind in ('chat', 'file', 'assistant', 'prompt', 'fact', 'schedule'));
alter table imported_things drop constraint imported_things_kind_check,
  add constraint imported_things_kind_check
    check (kind in ('chat', 'message', 'file', 'assistant', 'prompt', 'fact', 'schedule', 'run', 'call', 'media'));
