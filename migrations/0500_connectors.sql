-- Connectors read the items of a source, and store each as a document.
create table connectors (
  id uuid primary key default gen_random_uuid(),
  -- Owner of the documents. A personal connector has no company.
  user_id uuid not null references users on delete cascade,
  company_id uuid references companies on delete cascade,
  source text not null,
  name text not null,
  settings jsonb not null,
  -- Sealed JSON of the secret settings.
  secrets text,
  selection jsonb not null,
  rights text not null check (rights in ('mirrored', 'named')),
  every_minutes integer not null,
  -- Limits and waits hold for all connectors of a host; null for sources without one.
  host text,
  state text not null default 'ready'
    check (state in ('ready', 'working', 'paused', 'asking', 'signed_out', 'failing')),
  error text,
  failures integer not null default 0,
  -- The sync under way. Items carry the number of the last sync that listed them.
  sync_number integer not null default 0,
  phase text check (phase in ('listing', 'reading')),
  cursor text,
  began_at timestamptz,
  counts jsonb not null default '{"added":0,"changed":0,"moved":0,"removed":0,"refused":0}',
  listed integer not null default 0,
  next_sync_at timestamptz,
  -- The source asked to wait until then.
  wait_until timestamptz,
  last_sync_at timestamptz,
  rights_read_at timestamptz,
  removing text check (removing in ('delete', 'keep')),
  created_at timestamptz not null default now(),
  check (rights = 'named' or company_id is not null)
);
create index connectors_user on connectors (user_id);
create index connectors_company on connectors (company_id) where company_id is not null;
create index connectors_due on connectors (next_sync_at) where next_sync_at is not null;
create index connectors_host on connectors (host) where host is not null;

create table connector_shares (
  id uuid primary key default gen_random_uuid(),
  connector_id uuid not null references connectors on delete cascade,
  company_id uuid references companies on delete cascade,
  group_id uuid references groups on delete cascade,
  person_id uuid references users on delete cascade,
  within uuid references companies on delete cascade,
  everybody boolean not null default false check (not everybody),
  check (num_nonnulls(company_id, group_id, person_id) = 1),
  check ((person_id is null) = (within is null)),
  unique (connector_id, company_id),
  unique (connector_id, group_id),
  unique (connector_id, person_id)
);
create index connector_shares_company on connector_shares (company_id) where company_id is not null;
create index connector_shares_group on connector_shares (group_id) where group_id is not null;
create index connector_shares_person on connector_shares (person_id) where person_id is not null;
create index connector_shares_within on connector_shares (within) where within is not null;

-- More than a tenth of the items is missing: an administrator decides.
create table connector_removals (
  id uuid primary key default gen_random_uuid(),
  connector_id uuid not null references connectors on delete cascade,
  state text not null default 'asked' check (state in ('asked', 'removed', 'kept', 'undone', 'ended')),
  missing integer not null,
  of integer not null,
  asked_at timestamptz not null,
  answered_at timestamptz,
  answered_by uuid references users on delete set null
);
create unique index connector_removals_asked on connector_removals (connector_id) where state = 'asked';
create index connector_removals_of on connector_removals (connector_id, asked_at desc);
create index connector_removals_answered_by on connector_removals (answered_by) where answered_by is not null;

create table connector_items (
  id uuid primary key default gen_random_uuid(),
  connector_id uuid not null references connectors on delete cascade,
  -- As the source names it.
  foreign_id text not null,
  -- The version that the source lists, and the one that is stored here.
  version text not null,
  stored_version text,
  -- Equal for an item before and after it was moved.
  move_key text,
  name text not null,
  path text not null,
  url text,
  owner text,
  labels text[] not null default '{}',
  size bigint,
  created_there timestamptz,
  changed_there timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'stored', 'refused')),
  reason text,
  detail text,
  tries integer not null default 0,
  -- Keys of people and groups of the source who may read it.
  readers text[] not null default '{}',
  seen_in integer not null,
  removal_id uuid references connector_removals on delete set null,
  removed_at timestamptz,
  since timestamptz not null,
  unique (connector_id, foreign_id)
);
create index connector_items_waiting on connector_items (connector_id, tries, id) where state = 'waiting';
create index connector_items_differing on connector_items (connector_id, path, id)
  where state <> 'stored' or removal_id is not null;
create index connector_items_seen on connector_items (connector_id, seen_in);
create index connector_items_moved on connector_items (connector_id, move_key) where move_key is not null;
create index connector_items_removal on connector_items (removal_id) where removal_id is not null;
create index connector_items_removed on connector_items (removed_at) where removed_at is not null;

-- Members of the groups of a source, by address.
create table connector_members (
  connector_id uuid not null references connectors on delete cascade,
  group_key text not null,
  address text not null,
  primary key (connector_id, address, group_key)
);

create table connector_syncs (
  id uuid primary key default gen_random_uuid(),
  connector_id uuid not null references connectors on delete cascade,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  counts jsonb not null,
  error text
);
create index connector_syncs_of on connector_syncs (connector_id, ended_at desc, id);

-- A document of a connector. Without its item nobody reads it.
alter table documents
  add column connector_id uuid references connectors on delete set null,
  add column connector_item_id uuid references connector_items on delete set null;
create index documents_connector on documents (connector_id) where connector_id is not null;
-- Most people read no connector or few. With the counted number of connectors, the planner would expect half of the library and scan it.
alter table documents alter column connector_id set (n_distinct = -0.1);
create unique index documents_connector_item on documents (connector_item_id)
  where connector_item_id is not null and parent_id is null;
create index documents_of_connector_item on documents (connector_item_id) where connector_item_id is not null;

-- Counts of a person's own documents leave out those of connectors.
drop index documents_user_date;
drop index documents_user_name;
drop index documents_user_size;
create index documents_user_date on documents (user_id, created_at desc, id)
  include (deleted_at, connector_id, connector_item_id, parent_id, status, is_starred, format, extension, language, size);
create index documents_user_name on documents (user_id, lower(name), created_at desc, id)
  include (deleted_at, connector_id, name, parent_id);
create index documents_user_size on documents (user_id, size, created_at desc, id)
  include (deleted_at, connector_id, parent_id);

-- The owner of a company's connector may not read everything in it: documents of connectors cause no events for them.
drop trigger document_told on documents;
create constraint trigger document_told after insert on documents
deferrable initially deferred for each row when (new.connector_id is null) execute function tell_of_document();
create constraint trigger document_end_told after delete on documents
deferrable initially deferred for each row when (old.connector_id is null) execute function tell_of_document();
drop trigger document_change_told on documents;
create constraint trigger document_change_told
after update of name, status, is_starred, version, tags, deleted_at on documents
deferrable initially deferred for each row
when (new.connector_id is null and (old.name, old.status, old.is_starred, old.version, old.tags, old.deleted_at)
  is distinct from (new.name, new.status, new.is_starred, new.version, new.tags, new.deleted_at))
execute function tell_of_document();
create or replace function tell_webhooks_of_document() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null or new.connector_id is not null then return null; end if;
  perform tell_webhooks(new.user_id, 'document.ready',
    json_build_object('document_id', new.id, 'version', new.version, 'user_id', new.user_id));
  return null;
end $$;
create or replace function notify_of_document() returns trigger language plpgsql as $$
begin
  if new.connector_id is not null then return null; end if;
  perform notify_person(new.user_id, case new.status when 'completed' then 'document_ready' else 'document_failed' end,
    'document ' || new.id || ' ' || new.version || ' ' || new.status, jsonb_build_object('document_id', new.id));
  return null;
end $$;
