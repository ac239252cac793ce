-- Who is shut out for now: nobody comes in under this account, and all that is theirs stays.
alter table users add column deactivated_at timestamptz;

-- People of a company who are meant together. Who leaves the company leaves its groups.
create table groups (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  unique (id, company_id)
);
create unique index groups_name on groups (company_id, lower(name));
create table group_members (
  group_id uuid not null,
  company_id uuid not null,
  user_id uuid not null,
  primary key (group_id, user_id),
  foreign key (group_id, company_id) references groups (id, company_id) on delete cascade,
  foreign key (company_id, user_id) references company_members (company_id, user_id) on delete cascade
);
create index group_members_group on group_members (group_id, company_id);
create index group_members_user on group_members (company_id, user_id);
create index group_members_person on group_members (user_id);
