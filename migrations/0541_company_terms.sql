-- Terms of a company by version. The newest version counts, unless it is withdrawn.
create table company_terms (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  version integer not null,
  text_en text not null,
  text_fr text not null,
  published_at timestamptz not null,
  published_by text not null,
  withdrawn_at timestamptz,
  unique (company_id, version)
);

create table terms_acceptances (
  user_id uuid not null references users on delete cascade,
  terms_id uuid not null references company_terms on delete cascade,
  accepted_at timestamptz not null,
  primary key (user_id, terms_id)
);
create index terms_acceptances_terms on terms_acceptances (terms_id);

-- The terms of a person's companies that count and that they have not accepted.
create function due_terms(person uuid) returns setof company_terms language sql stable as $$
  select t.* from company_terms t join company_members m on m.company_id = t.company_id
  where m.user_id = person and t.withdrawn_at is null
    and t.version = (select max(newest.version) from company_terms newest where newest.company_id = t.company_id)
    and not exists (select from terms_acceptances a where a.user_id = person and a.terms_id = t.id)
$$;
