-- Model folders that an administrator had installed or tried. The folders themselves say what there is; a row says how far an
-- installation is, why it ended, and what a trial found.
create table installed_models (
  kind text not null check (kind in ('embedding', 'reranker')),
  name text not null,
  -- Where its files come from and what their sums must be.
  source jsonb not null,
  state text not null check (state in ('installing', 'ready', 'failed')),
  bytes bigint not null default 0,
  -- What is known of its whole size.
  of_bytes bigint,
  problem text,
  -- What a trial found; null before it was tried.
  trial jsonb,
  changed_at timestamptz not null,
  primary key (kind, name)
);
