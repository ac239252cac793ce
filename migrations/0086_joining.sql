-- Who may make an account, as a super admin says; the environment goes before it. One row, or none.
create table sign_up_policy (
  only_row boolean primary key default true check (only_row),
  policy text not null check (policy in ('open', 'invitation', 'domain', 'closed')),
  domains jsonb not null default '[]',
  updated_at timestamptz not null
);

-- An account that was let in for the domain of its address may sign in once that is proved.
alter table users add column proof_due boolean not null default false;

-- Ways in that somebody was given. With an address it is mailed and for that address alone; without one it is a link.
create table invitations (
  id uuid primary key default gen_random_uuid(),
  -- Null until the mail with the link is made.
  token_hash bytea unique,
  company_id uuid not null references companies on delete cascade,
  role text not null check (role in ('super_admin', 'company_admin', 'member')),
  email text,
  -- Nobody's invitation lets anybody in: it counts while who wrote it could write it again.
  invited_by uuid references users on delete cascade,
  created_at timestamptz not null,
  sent_at timestamptz,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references users on delete set null
);
create index invitations_company on invitations (company_id, created_at desc);
create index invitations_inviter on invitations (invited_by);
create index invitations_user on invitations (used_by);
create index invitations_email on invitations (lower(email)) where used_at is null;
