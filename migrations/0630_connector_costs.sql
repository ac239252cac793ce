-- What embedding the documents of a connector cost, in dollars. A row of its own, because syncs hold the connector's.
create table connector_costs (
  connector_id uuid primary key references connectors on delete cascade,
  amount numeric(24, 9) not null default 0
);
