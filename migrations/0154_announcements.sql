-- What administrators tell people for a time: in English, in French, or both.
create table announcements (
  id uuid primary key default gen_random_uuid(),
  tone text not null check (tone in ('news', 'warning')),
  text_en text,
  text_fr text,
  link text,
  -- To whom: everybody where all three are empty. No references: an announcement whose company or group is gone is nobody's, never everybody's.
  company_ids uuid[] not null default '{}',
  group_ids uuid[] not null default '{}',
  roles text[] not null default '{}',
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  author_id uuid references users on delete set null,
  author_name text not null,
  created_at timestamptz not null,
  check (text_en is not null or text_fr is not null),
  check (ends_at >= starts_at)
);
create index announcements_end on announcements (ends_at);
create index announcements_newest on announcements (starts_at desc);
create index announcements_author on announcements (author_id);

create table announcement_dismissals (
  announcement_id uuid not null references announcements on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (announcement_id, user_id)
);
create index announcement_dismissals_user on announcement_dismissals (user_id);

-- Whether somebody is meant.
create function is_announced_to(a announcements, person uuid) returns boolean language sql stable as $$
  select (a.company_ids = '{}' and a.group_ids = '{}' and a.roles = '{}') or exists (
    select from company_members m where m.user_id = person
      and (a.company_ids = '{}' or m.company_id = any (a.company_ids))
      and (a.roles = '{}' or m.role = any (a.roles))
      and (a.group_ids = '{}' or exists (
        select from group_members g
        where g.user_id = person and g.company_id = m.company_id and g.group_id = any (a.group_ids))))
$$;

-- What somebody is shown at a moment and has not dismissed: warnings first, then the newest.
create function announced_to(person uuid, moment timestamptz) returns setof announcements language sql stable as $$
  select a.* from announcements a
  where a.starts_at <= moment and a.ends_at > moment and is_announced_to(a, person)
    and not exists (select from announcement_dismissals d where d.announcement_id = a.id and d.user_id = person)
  order by a.tone = 'warning' desc, a.starts_at desc, a.id limit 3
$$;
