-- Accounts of people for mail, calendar and tickets. Only runs of that person use them.
create table personal_accounts (
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('imap', 'caldav', 'google', 'microsoft', 'jira')),
  -- Address of the person at the service.
  address text not null,
  -- Sealed JSON: settings with passwords, or tokens with the service and the client that they are for.
  sealed text not null,
  connected_at timestamptz not null,
  primary key (user_id, kind)
);

-- What a call that acts outside had prepared there before it acted, so that a resumed call recognizes it.
create table outside_actions (
  execution_id uuid primary key,
  user_id uuid not null references users on delete cascade,
  handle text not null,
  written_at timestamptz not null
);
create index outside_actions_user on outside_actions (user_id);

-- The least strict policy of a tool for the people of a company.
create table company_tool_policies (
  company_id uuid not null references companies on delete cascade,
  tool_id text not null,
  policy text not null check (policy in ('ask', 'never')),
  changed_at timestamptz not null,
  primary key (company_id, tool_id)
);
