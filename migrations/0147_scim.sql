-- What the directory of a company calls with. One counts; a new one takes its place.
create table scim_tokens (
  company_id uuid primary key references companies on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null,
  last_used_at timestamptz
);

-- People as the directory of a company knows them.
create table scim_users (
  company_id uuid not null references companies on delete cascade,
  user_id uuid not null references users on delete cascade,
  user_name text not null,
  external_id text,
  active boolean not null default true,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (company_id, user_id)
);
create index scim_users_user on scim_users (user_id);
create unique index scim_users_name on scim_users (company_id, lower(user_name));

create table scim_groups (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  display_name text not null,
  external_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index scim_groups_name on scim_groups (company_id, lower(display_name));

create table scim_group_members (
  group_id uuid not null references scim_groups on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (group_id, user_id)
);
create index scim_group_members_user on scim_group_members (user_id);
