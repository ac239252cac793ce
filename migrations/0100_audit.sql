-- What was done, by whom, from where: added with the change it records, never changed. Each entry carries the fingerprint of the one
-- before, so that one that was taken out or written anew is seen.
create table audit_entries (
  id bigint primary key,
  at timestamptz not null,
  -- Both stay when the person goes: an entry names who did it, not who they are now.
  actor_id uuid,
  actor_name text not null,
  did text not null,
  subject_id text,
  subject text not null,
  company_id uuid,
  company text,
  address text,
  refused boolean not null default false,
  changes jsonb not null default '[]',
  previous bytea not null,
  fingerprint bytea not null
);
create index audit_entries_company on audit_entries (company_id, id desc);
create index audit_entries_at on audit_entries (at);

create function audit_fingerprint(entry audit_entries) returns bytea language sql stable as $$
  select sha256(entry.previous || convert_to(jsonb_build_array(
    entry.id, extract(epoch from entry.at)::text, entry.actor_id, entry.actor_name, entry.did, entry.subject_id, entry.subject,
    entry.company_id, entry.company, entry.address, entry.refused, entry.changes)::text, 'UTF8'))
$$;

-- One entry after the other, in the order in which they are seen: the lock is kept until the commit.
create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  newest record;
begin
  perform pg_advisory_xact_lock(hashtext('atrium_audit'));
  select id, fingerprint into newest from audit_entries order by id desc limit 1;
  new.id := coalesce(newest.id, 0) + 1;
  new.previous := coalesce(newest.fingerprint, ''::bytea);
  new.fingerprint := audit_fingerprint(new);
  return new;
end
$$;
create trigger chain before insert on audit_entries for each row execute function chain_audit_entry();

create function keep_audit_entries() returns trigger language plpgsql as $$
begin
  raise exception 'Entries of the audit log are never changed.';
end
$$;
create trigger keep before update or delete or truncate on audit_entries for each statement execute function keep_audit_entries();
