-- Models that an administrator named because the server lists none, and what Azure OpenAI needs beside an address and a key.
alter table model_connections
  add column model_ids jsonb not null default '[]',
  add column api_version text,
  add column entra jsonb,
  drop constraint model_connections_kind_check,
  add constraint model_connections_kind_check
    check (kind in ('openai', 'anthropic', 'google', 'compatible', 'cohere', 'azure'));
