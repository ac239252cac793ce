-- The classes that every company begins with are named in the language of its first administrator, until somebody renames one.
create or replace function name_data_classes(company uuid, language text) returns void language sql as $$
  update data_classes c set name = case language when 'fr' then n.fr else n.en end
  from (values ('Internal', 'Interne'), ('Confidential', 'Confidentiel'),
    ('Strictly confidential', 'Strictement confidentiel')) as n (en, fr)
  where c.company_id = company and c.name = case language when 'fr' then n.en else n.fr end
    and (select count(*) from data_classes d where d.company_id = company
      and d.name in ('Public', 'Internal', 'Interne', 'Confidential', 'Confidentiel', 'Strictly confidential',
        'Strictement confidentiel')) = 4
    and (select count(*) from data_classes d where d.company_id = company) = 4
$$;

-- The first administrator counts, or the only member of a company that has no administrator.
create or replace function name_data_classes_first() returns trigger language plpgsql as $$
begin
  if not exists (select from company_members m where m.company_id = new.company_id and m.user_id <> new.user_id
      and (m.role <> 'member' or new.role = 'member')) then
    perform name_data_classes(new.company_id, (select language from users where id = new.user_id));
  end if;
  return null;
end
$$;
drop trigger if exists name_data_classes on company_members;
create trigger name_data_classes after insert or update of role on company_members
  for each row execute function name_data_classes_first();

-- The only member of a company changes the language, as during the setup.
create or replace function name_data_classes_again() returns trigger language plpgsql as $$
begin
  perform name_data_classes(m.company_id, new.language) from company_members m where m.user_id = new.id
    and not exists (select from company_members o where o.company_id = m.company_id and o.user_id <> new.id);
  return null;
end
$$;
drop trigger if exists name_data_classes on users;
create trigger name_data_classes after update of language on users
  for each row when (new.language is distinct from old.language) execute function name_data_classes_again();

select name_data_classes(c.id, u.language) from companies c cross join lateral (
  select u.language from company_members m join users u on u.id = m.user_id
  where m.company_id = c.id and m.role <> 'member' order by u.created_at, u.id limit 1) u
where u.language = 'fr' order by c.created_at, c.id;
