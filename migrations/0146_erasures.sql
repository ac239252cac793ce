-- Accounts that are being deleted, and the receipts of those that were: counts alone, of nobody by name.
create table erasures (
  id uuid primary key default gen_random_uuid(),
  -- No reference: what it names goes, and with the last step the id itself.
  user_id uuid unique,
  -- Whoever has the link reads the receipt.
  token_hash bytea not null unique,
  asked_by text not null check (asked_by in ('person', 'administrator')),
  language text not null,
  -- Where the receipt is mailed to: sealed, and forgotten with the last step.
  email text,
  company_id uuid,
  step text not null default 'chats'
    check (step in ('chats', 'documents', 'account', 'files', 'vectors', 'versions', 'done')),
  counts jsonb not null default '{}',
  requested_at timestamptz not null,
  vectors_at timestamptz,
  finished_at timestamptz
);
create index erasures_unfinished on erasures (requested_at) where finished_at is null;
create index erasures_finished on erasures (finished_at) where finished_at is not null;

-- Their files that are still to be removed: noted in the commit that takes the rows which named them.
create table erasure_files (
  erasure_id uuid not null references erasures on delete cascade,
  file_key text not null,
  primary key (erasure_id, file_key)
);

-- What people who are gone had used: the sums of an installation stay what they were.
create table departed_usage (
  month date not null,
  company_id uuid,
  model_name text,
  kind text not null,
  amount numeric(24, 9) not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  calls bigint not null,
  unique nulls not distinct (month, company_id, model_name, kind)
);
