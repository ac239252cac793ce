-- An archive of our own also restores projects, versions of documents, the facts that replies used, and positions of runs.
alter table import_problems drop constraint import_problems_kind_check,
  add constraint import_problems_kind_check
    check (kind in ('chat', 'file', 'assistant', 'prompt', 'fact', 'schedule', 'project'));
alter table imported_things drop constraint imported_things_kind_check,
  add constraint imported_things_kind_check
    check (kind in ('chat', 'message', 'file', 'assistant', 'prompt', 'fact', 'schedule', 'run', 'call', 'media',
      'project', 'version', 'journal'));
