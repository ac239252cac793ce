-- Returns the stricter one of two classes of a company. A class of another company cannot be compared, so the first one stays.
create function stricter_class(one uuid, other uuid) returns uuid language sql stable as $$
  select case when one is null then other
    when exists (select from data_classes a join data_classes b on b.company_id = a.company_id and b.position > a.position
      where a.id = one and b.id = other) then other
    else one end
$$;

-- Documents that stay when a connector is removed keep its class, unless their own is stricter.
create or replace function leave_class() returns trigger language plpgsql as $$
begin
  update documents set class_id = stricter_class(class_id, old.class_id)
    where connector_id = old.id and class_id is distinct from stricter_class(class_id, old.class_id);
  return old;
end
$$;

-- So does a document that leaves its connector before that is removed, or when it gets another owner.
create function take_class_of_connector() returns trigger language plpgsql as $$
begin
  new.class_id := stricter_class(new.class_id, (select class_id from connectors where id = old.connector_id));
  return new;
end
$$;
create trigger take_class_of_connector before update of connector_id on documents for each row
  when (old.connector_id is not null and new.connector_id is distinct from old.connector_id)
  execute function take_class_of_connector();
