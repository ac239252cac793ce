-- Returns the class of a person's companies that an archive names, by its id or else by its name.
create or replace function class_named(person uuid, id uuid, named text) returns uuid language sql stable as $$
  select c.id from data_classes c join company_members m on m.company_id = c.company_id
  where m.user_id = person and (c.id = class_named.id or lower(c.name) = lower(named))
  order by (c.id = class_named.id) desc nulls last, c.position desc, c.id limit 1
$$;
