-- The receiver of the audit log, the process that sends to it, and the last entry that it has confirmed.
create table audit_stream (
  only_row boolean primary key default true check (only_row),
  -- https://…, syslogs://host:port (TLS) or syslog://host:port.
  address text not null,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  is_on boolean not null,
  -- The number of the last confirmed entry. Retention keeps the entries after it.
  sent_to bigint not null,
  sent_at timestamptz,
  -- Increased by each change, so that a confirmation of the former receiver does not count.
  revision integer not null default 1,
  error text,
  failing_since timestamptz,
  failures integer not null default 0,
  next_at timestamptz not null,
  holder uuid,
  held_until timestamptz
);

create function tell_audit_stream() returns trigger language plpgsql as $$
begin
  if exists (select from audit_stream where is_on) then perform pg_notify('atrium_audit_stream', ''); end if;
  return null;
end
$$;
create trigger tell_stream after insert on audit_entries for each statement execute function tell_audit_stream();

create or replace function drop_audit_entries(before timestamptz, most integer) returns bigint language plpgsql as $$
declare
  bound timestamptz := least(before, clock_timestamp() - interval '365 days');
  dropped bigint;
begin
  perform pg_advisory_xact_lock(hashtext('atrium_audit'));
  perform set_config('atrium.audit_retention', 'on', true);
  -- Never beyond the first that is to stay, nor the newest: the next one carries its fingerprint. Nor beyond what the receiver has.
  delete from audit_entries where id in (
    select id from audit_entries
    where id < least((select min(id) from audit_entries where at >= bound), (select max(id) from audit_entries))
      and id <= coalesce((select sent_to from audit_stream), id)
    order by id limit most);
  get diagnostics dropped = row_count;
  perform set_config('atrium.audit_retention', 'off', true);
  return dropped;
end
$$;
