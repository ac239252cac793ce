-- Services outside that a person let the product use in their name. Tokens are sealed with the installation's key.
create table service_connections (
  user_id uuid not null references users (id) on delete cascade,
  service text not null,
  refresh_token text not null,
  connected_at timestamptz not null default now(),
  primary key (user_id, service)
);
