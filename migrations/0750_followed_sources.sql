-- A source that is followed on an open connection has a row too, without a secret. `error` tells why it is not followed.
alter table connector_watches alter column secret drop not null;
