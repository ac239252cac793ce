-- Tokens of connectors whose source has a sign-in page.
create table connector_sign_ins (
  connector_id uuid primary key references connectors on delete cascade,
  -- Sealed JSON: the tokens, with the service and the client that they are for.
  sealed text not null,
  signed_in_at timestamptz not null
);

-- The connector of a deleted company also loses its tokens.
create or replace function remove_connectors_of_company() returns trigger language plpgsql as $$
begin
  delete from connector_sign_ins where connector_id in (select id from connectors where company_id = old.id);
  update connectors set company_id = null, rights = 'named', secrets = null, removing = 'delete', next_sync_at = null
    where company_id = old.id;
  return old;
end $$;
