-- A company that is deleted must not leave its documents to the owner of a connector. The connector is therefore removed with its
-- documents: without a company it reaches no one else, and while it is being removed it reaches no one.
create function remove_connectors_of_company() returns trigger language plpgsql as $$
begin
  update connectors set company_id = null, rights = 'named', secrets = null, removing = 'delete', next_sync_at = null
    where company_id = old.id;
  return old;
end $$;
create trigger company_connectors_removed before delete on companies
for each row execute function remove_connectors_of_company();
