-- Further values that a kind of provider needs, such as a region or a project. The folders of the server say which kinds there are.
alter table model_connections
  add column options jsonb not null default '{}',
  drop constraint model_connections_kind_check;
