-- Who may use a model, a tool, an assistant or a feature: everybody, until a row says otherwise (docs/decisions/0018).
create table grants (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('model', 'tool', 'assistant', 'feature')),
  thing text not null check (length(thing) between 1 and 300),
  -- The company that decides for its own people; null: the house.
  decided_by uuid references companies on delete cascade,
  effect text not null check (effect in ('allow', 'refuse')),
  who text not null check (who in ('role', 'company', 'group', 'nobody')),
  role text,
  -- When whom it names is gone the row stays and names nobody: what was closed does not open by that.
  company_id uuid references companies on delete set null,
  group_id uuid references groups on delete set null,
  created_at timestamptz not null default now(),
  check ((role is not null) = (who = 'role')),
  check (company_id is null or who = 'company'),
  check (group_id is null or who = 'group')
);
create unique index grants_once on grants (kind, thing, decided_by, role, company_id, group_id) nulls not distinct
  where role is not null or company_id is not null or group_id is not null;
create index grants_thing on grants (kind, thing);
create index grants_decided_by on grants (decided_by);
create index grants_company on grants (company_id);
create index grants_group on grants (group_id);

-- Every process keeps what it has read until it is told: of whom, or of everybody.
create function tell_of_grants() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_grants', '');
  return null;
end $$;
create trigger grants_told after insert or update or delete or truncate on grants
for each statement execute function tell_of_grants();

create function tell_of_standing() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_grants', coalesce(new.user_id, old.user_id)::text);
  return null;
end $$;
create trigger standing_told after insert or update or delete on company_members
for each row execute function tell_of_standing();
create trigger standing_told after insert or update or delete on group_members
for each row execute function tell_of_standing();
