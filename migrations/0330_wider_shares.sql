-- Assistants and tool sets are shared with a company, a group, a person, or everybody on the installation.
-- `within` is the company a person must still belong to; null when a super admin shared it.
alter table assistant_shares
  drop constraint assistant_shares_pkey,
  alter column company_id drop not null,
  add column id uuid primary key default gen_random_uuid(),
  add column group_id uuid references groups on delete cascade,
  add column person_id uuid references users on delete cascade,
  add column within uuid references companies on delete cascade,
  add column everybody boolean not null default false,
  add check (num_nonnulls(company_id, group_id, person_id) + everybody::integer = 1),
  add check (company_id is not null or access = 'use'),
  add check (within is null or person_id is not null),
  add unique (assistant_id, company_id),
  add unique (assistant_id, group_id),
  add unique (assistant_id, person_id);
create unique index assistant_shares_everybody on assistant_shares (assistant_id) where everybody;
create index assistant_shares_group on assistant_shares (group_id) where group_id is not null;
create index assistant_shares_person on assistant_shares (person_id) where person_id is not null;
create index assistant_shares_within on assistant_shares (within) where within is not null;

alter table own_tool_shares
  drop constraint own_tool_shares_pkey,
  alter column company_id drop not null,
  add column id uuid primary key default gen_random_uuid(),
  add column group_id uuid references groups on delete cascade,
  add column person_id uuid references users on delete cascade,
  add column within uuid references companies on delete cascade,
  add column everybody boolean not null default false,
  add column shared_by uuid references users on delete set null,
  add column created_at timestamptz not null default clock_timestamp(),
  add check (num_nonnulls(company_id, group_id, person_id) + everybody::integer = 1),
  add check (within is null or person_id is not null),
  add unique (set_id, company_id),
  add unique (set_id, group_id),
  add unique (set_id, person_id);
create unique index own_tool_shares_everybody on own_tool_shares (set_id) where everybody;
create index own_tool_shares_group on own_tool_shares (group_id) where group_id is not null;
create index own_tool_shares_person on own_tool_shares (person_id) where person_id is not null;
create index own_tool_shares_within on own_tool_shares (within) where within is not null;
create index own_tool_shares_shared_by on own_tool_shares (shared_by) where shared_by is not null;

-- Whether members share assistants and tools with the company, its groups and its people. Its administrators always may.
alter table companies add column members_share boolean not null default false;
