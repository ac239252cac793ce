-- Controls of the interface that administrators hide. Hiding is not a right: the API answers as before.
create table hidden_controls (
  id uuid primary key default gen_random_uuid(),
  control text not null check (length(control) between 1 and 60),
  -- Hidden from a group, from everyone of a company but its administrators, or, without both, from everyone but administrators.
  company_id uuid references companies on delete cascade,
  group_id uuid references groups on delete cascade,
  created_at timestamptz not null default now(),
  check (company_id is null or group_id is null)
);
create unique index hidden_controls_once on hidden_controls (control, company_id, group_id) nulls not distinct;
create index hidden_controls_company on hidden_controls (company_id);
create index hidden_controls_group on hidden_controls (group_id);

-- Open tabs read what is hidden with the person, again after each change of grants (0157).
create trigger hidden_controls_told after insert or update or delete or truncate on hidden_controls
for each statement execute function tell_of_grants();
