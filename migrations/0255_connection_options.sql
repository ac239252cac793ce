-- What a kind of provider needs beside an address and a key: region, project. The server's folders say which kinds there are.
alter table model_connections
  add column options jsonb not null default '{}',
  drop constraint model_connections_kind_check;
