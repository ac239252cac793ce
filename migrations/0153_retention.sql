-- How long things are kept, by kind: by the installation, and by a company for its people. Without a row nothing is decided.
create table retention_rules (
  kind text not null check (kind in ('chats', 'tool_runs', 'files', 'documents', 'audit')),
  -- None: the installation's own.
  company_id uuid references companies on delete cascade,
  -- None: kept, whatever the installation says.
  days integer check (days between 1 and 3650),
  unique nulls not distinct (kind, company_id),
  -- The audit log is one chain, and of nobody's company.
  check (kind <> 'audit' or (company_id is null and days >= 365)),
  check (company_id is not null or days is not null)
);
create index retention_rules_company on retention_rules (company_id) where company_id is not null;

-- Each day's deleting: how far it is, and what it came to.
create table retention_runs (
  id uuid primary key default gen_random_uuid(),
  step text not null default 'chats',
  began_at timestamptz not null,
  -- When what is left of the vectors was written anew.
  vectors_at timestamptz,
  finished_at timestamptz,
  -- The newest of its failures; it goes on by itself.
  failed_at timestamptz
);
create unique index retention_runs_unfinished on retention_runs ((true)) where finished_at is null;
create index retention_runs_newest on retention_runs (began_at desc);

create table retention_counts (
  run_id uuid not null references retention_runs on delete cascade,
  kind text not null,
  -- No reference: what was deleted stays true when the company goes.
  company_id uuid,
  company text,
  items bigint not null,
  files bigint not null,
  file_bytes bigint not null,
  unique nulls not distinct (run_id, kind, company_id)
);

-- Files that are still to be removed: noted in the commit that takes the rows which named them.
create table retention_files (
  run_id uuid not null references retention_runs on delete cascade,
  file_key text not null,
  primary key (run_id, file_key)
);

-- Entries of the audit log are never changed. The oldest may go, in their order, once they are a year old; what is left is still one chain.
create or replace function keep_audit_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('atrium.audit_retention', true) = 'on' then return null; end if;
  raise exception 'Entries of the audit log are never changed.';
end
$$;

create function drop_audit_entries(before timestamptz, most integer) returns bigint language plpgsql as $$
declare
  bound timestamptz := least(before, clock_timestamp() - interval '365 days');
  dropped bigint;
begin
  perform pg_advisory_xact_lock(hashtext('atrium_audit'));
  perform set_config('atrium.audit_retention', 'on', true);
  -- Never beyond the first that is to stay, nor the newest: the next one carries its fingerprint.
  delete from audit_entries where id in (
    select id from audit_entries
    where id < least((select min(id) from audit_entries where at >= bound), (select max(id) from audit_entries))
    order by id limit most);
  get diagnostics dropped = row_count;
  perform set_config('atrium.audit_retention', 'off', true);
  return dropped;
end
$$;
