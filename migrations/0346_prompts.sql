-- Prompts: texts with typed fields, found by name or command, shared like assistants.
create table prompts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  name text not null,
  command text not null,
  text text not null,
  fields jsonb not null default '[]',
  assistant_id uuid,
  model_name text,
  tools jsonb,
  documents jsonb not null default '[]',
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index prompts_command on prompts (user_id, lower(command));

create table prompt_versions (
  prompt_id uuid not null references prompts on delete cascade,
  version integer not null,
  saved_by uuid references users on delete set null,
  returned_from integer,
  changed jsonb not null,
  content jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (prompt_id, version)
);
create index prompt_versions_saved_by on prompt_versions (saved_by) where saved_by is not null;

create table prompt_shares (
  id uuid primary key default gen_random_uuid(),
  prompt_id uuid not null references prompts on delete cascade,
  company_id uuid references companies on delete cascade,
  group_id uuid references groups on delete cascade,
  person_id uuid references users on delete cascade,
  -- Company the person must still belong to; null when a super admin shared it.
  within uuid references companies on delete cascade,
  everybody boolean not null default false,
  access text not null default 'use' check (access in ('use', 'edit')),
  shared_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(company_id, group_id, person_id) + everybody::integer = 1),
  check (within is null or person_id is not null),
  check (not everybody or access = 'use'),
  unique (prompt_id, company_id),
  unique (prompt_id, group_id),
  unique (prompt_id, person_id)
);
create unique index prompt_shares_everybody on prompt_shares (prompt_id) where everybody;
create index prompt_shares_company on prompt_shares (company_id) where company_id is not null;
create index prompt_shares_group on prompt_shares (group_id) where group_id is not null;
create index prompt_shares_person on prompt_shares (person_id) where person_id is not null;
create index prompt_shares_within on prompt_shares (within) where within is not null;
create index prompt_shares_shared_by on prompt_shares (shared_by) where shared_by is not null;
