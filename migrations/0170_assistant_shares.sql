-- With which companies an assistant is shared, each to use it or to edit it too.
create table assistant_shares (
  assistant_id uuid not null references assistants on delete cascade,
  company_id uuid not null references companies on delete cascade,
  access text not null check (access in ('use', 'edit')),
  -- Null when the person is gone: then it is its owner's share.
  shared_by uuid references users on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (assistant_id, company_id)
);
create index assistant_shares_company on assistant_shares (company_id);
create index assistant_shares_shared_by on assistant_shares (shared_by) where shared_by is not null;

insert into assistant_shares (assistant_id, company_id, access, shared_by, created_at)
select id, company_id, 'use', user_id, created_at from assistants where company_id is not null;
alter table assistants drop column company_id;
