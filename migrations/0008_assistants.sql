-- Assistants people made; the built-in ones are code. `company_id`: shared with everybody of that company.
create table assistants (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  company_id uuid references companies on delete set null,
  name text not null,
  description text not null default '',
  icon text,
  agent_type text not null default 'multi_turn',
  model_name text,
  system_prompt text not null default '',
  example_prompts jsonb not null default '[]',
  temperature double precision,
  documents jsonb not null default '[]',
  -- Ids of tools; null for all there are.
  tools jsonb,
  status text not null default 'draft' check (status in ('draft', 'published')),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default now()
);
create index assistants_user on assistants (user_id, created_at desc);
create index assistants_company on assistants (company_id, created_at desc) where company_id is not null;

-- Parts of a run are found by the run above them.
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
