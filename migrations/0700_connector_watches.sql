-- Notifications that a source sends about changes. A row of its own, because syncs hold the connector's.
create table connector_watches (
  connector_id uuid primary key references connectors on delete cascade,
  -- Sealed. Each notification carries it.
  secret text not null,
  -- What the source needs to renew or stop them; null until it has accepted.
  channels text,
  ends_at timestamptz,
  renew_at timestamptz not null,
  -- The source may prove the address from then on, for a minute.
  tried_at timestamptz not null,
  error text,
  notified_at timestamptz
);
create index connector_watches_renew on connector_watches (renew_at);
