-- Mail domains that companies claim. A claim counts for nothing until it is verified, and one company verifies a domain.
create table company_domains (
  company_id uuid not null references companies on delete cascade,
  -- In lower case and ASCII, as DNS has it.
  domain text not null check (domain = lower(domain)),
  -- What the DNS record of the domain must hold.
  token text not null,
  verified_at timestamptz,
  -- By the DNS record, or by the word of a super admin.
  verified_by text check (verified_by in ('dns', 'super_admin')),
  created_at timestamptz not null,
  primary key (company_id, domain),
  check ((verified_at is null) = (verified_by is null))
);
create unique index company_domains_verified on company_domains (domain) where verified_at is not null;
